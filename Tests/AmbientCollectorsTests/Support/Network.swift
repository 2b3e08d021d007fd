// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import CHostile
import Foundation
import TestSupport

/// What carries the requests of a test.
enum Network {
  case curl
  /// That of a libcurl of 2017, which knows no newer options.
  case oldCurl
  case gnuTLS
  case urlSession

  /// The libcurls that are installed here. URLSession is tested in processes of its own: on Linux it
  /// keeps a processor busy, and takes memory without end, where the test's others wait for theirs.
  ///
  /// Apple's systems have URLSession alone, which is tested in its place.
  static var curls: [Network] {
    #if canImport(Darwin)
      [.urlSession]
    #else
      [.curl, .oldCurl] + (hasGnuTLS ? [.gnuTLS] : [])
    #endif
  }
  /// Those that know the option by which authorities are read again. An old libcurl reads them for
  /// each connection, but ``oldCurl`` is a new one that lacks the option.
  static var rereadingCurls: [Network] { curls.filter { $0 != .oldCurl } }

  #if canImport(Darwin)
    static let hasGnuTLS = false
  #else
    static var hasGnuTLS: Bool { (try? CurlLibrary.system(["libcurl-gnutls.so.4"])) != nil }
  #endif

  static var isLeakChecked: Bool { loadedSymbol("__lsan_do_leak_check") != nil }

  #if canImport(Darwin)
    func client(trustRoots: String? = nil) throws -> CollectorClient {
      CollectorClient(URLSessionCarrier())
    }
  #else
    private static let old: ambient_curl? = (try? CurlLibrary.system()).map {
      hostile_old_curl($0.table, 265)
    }

    /// A client; the query `?proxy=` of a URL names the proxy.
    func client(
      trustRoots: String? = nil, certificate: ClientCertificate? = nil
    ) throws -> CollectorClient {
      let table: ambient_curl
      let place: CInt
      switch self {
      case .curl: (table, place) = (try CurlLibrary.system().table, 0)
      case .oldCurl:
        guard let old = Self.old else { throw CollectorError.noLibrary(names: []) }
        (table, place) = (old, 1)
      case .gnuTLS:
        (table, place) = (try CurlLibrary.system(["libcurl-gnutls.so.4"]).table, 2)
      case .urlSession: return CollectorClient(URLSessionCarrier())
      }
      return CollectorClient(
        CurlCarrier(
          CurlLibrary(hostile_proxied_curl(table, place)),
          TLSFiles(trustRoots: trustRoots, certificate: certificate)))
    }
  #endif
}

extension CollectorClient {
  /// How an exchange with a server ends: `200 body`, the same with `, cut`, or `unknown: reason`.
  func outcome(
    _ url: String, method: String = "POST", headers: [String: String] = [:],
    body: String = "an event", limit: Duration = Patience.short, bytes: Int = 65_536,
    isRepeatable: Bool = true
  ) async -> String {
    guard let url = URL(string: url) else { return "no address" }
    let request = OutgoingRequest(method, url, body: Array(body.utf8)).with {
      $0.headers = headers
      $0.isRepeatable = isRepeatable
    }
    do throws(TransportError) {
      let answer = try await exchange(
        request, ExchangeLimits(duration: limit, answerBytes: bytes))
      return "\(answer.status) \(answer.text.prefix(100))\(answer.isCut ? ", cut" : "")"
    } catch {
      return "\(error.outcome): \(error.reason)"
    }
  }
}

/// A text as the bytes of a connection.
func bytes(_ text: String) -> LoopbackServer.Step { .send(Array(text.utf8)) }

/// Runs the program Fetcher, of which `onStart` learns; what it prints, line by line.
func fetch(
  _ method: String, _ url: String, trustRoots: String = "-", milliseconds: Int = 300_000,
  count: Int = 1, parallel: Int = 1, environment: [String: String] = [:],
  program: String? = nil, onStart: (ChildProgram) -> Void = { _ in }
) async throws -> (status: Int32, lines: [String]) {
  let folder = TemporaryFolder()
  let file = try folder.makeFile("output")
  let path = try program ?? Products.program("Fetcher").path
  // Without the proxies that this machine may have.
  var changes = environment.mapValues(Optional.some)
  for name in ProcessInfo.processInfo.environment.keys
  where environment[name] == nil && name.lowercased().hasSuffix("_proxy") {
    changes.updateValue(nil, forKey: name)
  }
  let child = try ChildProgram(
    path, [trustRoots, "\(milliseconds)", method, url, "\(count)", "\(parallel)"],
    environment: changes, output: file, errors: file)
  onStart(child)
  let status = await child.end()
  let text = try String(contentsOfFile: folder.path("output"), encoding: .utf8)
  return (status, text.split(separator: "\n").map(String.init))
}
