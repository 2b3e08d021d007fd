// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import TestSupport
import Testing

/// What holds of each collector of a vendor.
@Suite struct `Adobe and Google responses` {
  /// The collector of a vendor.
  enum Vendor: CaseIterable {
    case adobe, google

    /// The status by which it accepts events.
    var accepted: Int { self == .adobe ? 202 : 204 }

    func collector(
      _ server: LoopbackServer, _ folder: TemporaryFolder, _ reports: Reports = Reports()
    ) throws -> any Sending {
      switch self {
      case .adobe: try AdobeAnalytics.to(server, folder, reports: reports)
      case .google: try GoogleAnalytics.to(server, folder, reports: reports)
      }
    }
  }

  private let folder = TemporaryFolder()

  @Test(
    arguments: [425, 429, 502, 503, 504, 501, 599].map { (Vendor.adobe, $0) }
      + [408, 425, 429, 500, 502, 503, 504, 599].map { (.google, $0) })
  func `after a temporary failure of Adobe or Google, the request is repeated unchanged`(
    vendor: Vendor, status: Int
  ) async throws {
    let server = try LoopbackServer([
      .answer(status, headers: ["Retry-After": "0"]), .answer(status), .answer(vendor.accepted),
    ])
    let collector = try vendor.collector(server, folder)
    collector.send("a", "b")
    #expect(await collector.isEmptiedAfterFlush())
    #expect(server.requests.count == 3)
    #expect(Set(server.requests.map(\.body)).count == 1)
    #expect(Set(server.requests.map(\.target)).count == 1)
    #expect(collector.status.delivered == 2)
    #expect(collector.status.lost == [:])
  }

  @Test(
    arguments: [
      (Vendor.adobe, 301, ""), (.adobe, 401, "EXEG-0503-401"), (.adobe, 403, "EXEG-0400-403"),
      (.adobe, 404, ""), (.adobe, 405, ""), (.adobe, 410, ""), (.adobe, 400, "EXEG-0003-400"),
      (.adobe, 415, "EXEG-0111-415"), (.adobe, 422, "EXEG-0004-422"),
      (.adobe, 422, "EXEG-0013-422"),
    ]
      + [301, 302, 307, 400, 401, 402, 403, 404, 405, 407, 409, 410, 418, 422].map {
        (.google, $0, "")
      })
  func `if Adobe or Google blames the configuration or the URL, events are kept`(
    vendor: Vendor, status: Int, code: String
  ) async throws {
    let body = vendor == .adobe ? `Adobe responses`.problem(code) : ""
    let server = try LoopbackServer { number, _ in
      number < 2
        ? .answer(status, headers: ["Location": "http://elsewhere.example/"], body: body)
        : .answer(vendor.accepted)
    }
    let reports = Reports()
    let collector = try vendor.collector(server, folder, reports)
    collector.send("a", "b")
    #expect(await collector.isEmptiedAfterFlush())
    #expect(collector.status.delivered == 2)
    #expect(collector.status.lost == [:])
    #expect(reports.messages.first?.contains("status \(status)") == true)
  }

  @Test(arguments: Vendor.allCases)
  func `a web page with status 200 doesn't count as an acceptance by Adobe or Google`(
    vendor: Vendor
  )
    async throws
  {
    let server = try LoopbackServer([.answer(200, body: "<!DOCTYPE html><p>Welcome to the hotel")])
    let collector = try vendor.collector(server, folder)
    collector.send("a")
    #expect(await collector.isEmptiedAfterFlush())
    #expect(server.requests.count == 2)
    #expect(collector.status.delivered == 1)
  }

  @Test(arguments: Vendor.allCases)
  func `a request to Adobe or Google that gets no response is sent again`(vendor: Vendor)
    async throws
  {
    let server = try LoopbackServer([
      .close, .steps([bytes("HTTP/1.1 200 So\r\n"), .reset]), .answer(vendor.accepted),
    ])
    let collector = try vendor.collector(server, folder)
    collector.send("a")
    #expect(await collector.isEmptiedAfterFlush())
    #expect(collector.status.delivered == 1)
    #expect(server.requests.count >= 3)
  }
}
