// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient
@testable import AmbientCollectors

@Suite(.quiet) struct `Moved or replaced queue folders` {
  private let folder = TemporaryFolder()

  /// When the queue changes: before its first request, while a request is under way that fails,
  /// while the next one is under way that succeeds, or after all was delivered.
  enum Moment: Int, CaseIterable { case before, failing, succeeding, after }

  private static let cases = FolderChange.allCases.filter { !$0.hasOther }
    .flatMap { change in Moment.allCases.map { (change, $0) } }

  /// The number of reports of the journal `name`.
  private func reports(_ name: String = "queue") -> Int {
    Test.reports.count { $0.source == "Journal \(folder.path("queue/\(name)"))" }
  }

  @Test(arguments: cases)
  func `if a queue's folder is moved, each event is delivered once and the files are rewritten`(
    change: FolderChange, moment: Moment
  ) async throws {
    let transport = ScriptedTransport { [folder] number, lines in
      if number == 0, moment == .failing { try? change.make(in: folder) }
      if number == 1, moment == .succeeding { try? change.make(in: folder) }
      return .answer(number == 0 ? 503 : 200)
    }
    let analytics = try HTTPAnalytics(transport, folder, upload: .atFlush)
    analytics.store("ada")
    let clientID = analytics.queue.clientID
    analytics.track(0..<10)
    if moment == .before { try change.make(in: folder) }
    analytics.flush()
    #expect(await Patience.waitIdly { analytics.status.waiting == 0 })
    if moment == .after { try change.make(in: folder) }
    analytics.track(10..<20)
    await analytics.finish()
    let status = analytics.status
    #expect(status.delivered == 20 && status.lost == [:] && status.waiting == 0)
    let delivered = transport.exchanges.dropFirst().flatMap(\.lines)
    #expect(numbers(delivered) == Array(0..<20) && reports() == 1)
    let next = try reopened { try EventQueue(folder: folder.path("queue"), .small) }
    #expect(next.clientID == clientID && next.identity.user == "ada")
    #expect(next.journal.count == 0)
    #expect(try !change.isMove || QueueSummary(folder: folder.path("moved")).waiting?.count == 0)
  }

  @Test
  func `after a queue's folder is moved, refused events are kept in a folder at the old path`()
    async throws
  {
    let transport = ScriptedTransport { _, lines in
      .answer(lines.contains { $0.contains("s3en") } ? 400 : 200)
    }
    let analytics = try HTTPAnalytics(transport, folder, upload: .atFlush)
    for number in 0..<2 {
      analytics.track(number..<(number + 1))
      analytics.track(Event("numbered", ["number": number, "mark": "s3en"]))
      analytics.flush()
      #expect(await Patience.waitIdly { analytics.status.waiting == 0 })
      if number == 0 { try FolderChange.folderMoved.make(in: folder) }
    }
    #expect(analytics.status.refused == 2)
    await analytics.finish()
    #expect(analytics.status.lost == ["status 400": 2] && analytics.status.forgotten == 0)
    #expect(reports() == 1 && reports("refused") == 1)
    #expect(try QueueSummary(folder: folder.path("queue")).refused?.count == 2)
    #expect(try QueueSummary(folder: folder.path("moved")).refused?.count == 0)
  }

  @Test(arguments: [true, false])
  func `a collector whose queue moved writes nothing to a new queue at the old path`(
    isDelivered: Bool
  ) async throws {
    let transport = ScriptedTransport { _, lines in
      if lines.contains(where: { $0.contains("s3en") }) { return .answer(400) }
      return .answer(isDelivered || numbers(lines) == [99] ? 200 : 503)
    }
    let analytics = try HTTPAnalytics(transport, folder, upload: .atFlush)
    analytics.track(99..<100)
    analytics.track(Event("numbered", ["mark": "s3en"]))
    analytics.flush()
    #expect(await Patience.waitIdly { analytics.status.waiting == 0 })
    analytics.track(0..<5)
    try FolderChange.folderMoved.make(in: folder)
    let others = ScriptedTransport([])
    let other = try HTTPAnalytics(others, folder, upload: .atFlush)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("queue")).sorted()
    analytics.store("ada")
    if isDelivered { analytics.track(Event("numbered", ["mark": "s3en"])) }
    analytics.track(5..<10)
    other.track(100..<105)
    await analytics.finish()
    let status = analytics.status
    let refused = isDelivered ? 2 : 1
    #expect(status.delivered == (isDelivered ? 11 : 1) && status.waiting == 0)
    #expect(
      status.lost
        == (isDelivered
          ? ["status 400": 2] : ["status 400": 1, "the queue's file was gone": 10]))
    #expect(status.refused == 0 && status.forgotten == refused)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("queue")).sorted() == names)
    await other.finish()
    #expect(numbers(others.exchanges.flatMap(\.lines)) == Array(100..<105))
    #expect(other.status.delivered == 5 && other.status.lost == [:])
    // Where the folder is now, the events wait that were not delivered.
    let left = try QueueSummary(folder: folder.path("moved"))
    #expect(left.waiting?.count == (isDelivered ? 0 : 10) && left.refused?.count == refused)
  }

  @Test(arguments: Moment.allCases)
  func `each event is delivered once even if the queue's folder is unwritable for a while`(
    moment: Moment
  )
    async
  {
    await #expect(processExitsWith: .success) { [moment = moment.rawValue as Int] in
      endIfHanging()
      let reports = Reports()
      try await TemporaryFolder.withoutRights { folder in
        // As after a failure of the disk, without the queue.
        let fail: @Sendable () -> Void = {
          try? FolderChange.folderRemoved.make(in: folder)
          #expect(chmod(folder.path, 0o555) == 0)
        }
        try await Diagnostics.withInstance(reports) {
          let transport = ScriptedTransport { number, _ in
            if number == moment - 1 { fail() }
            return .answer(number == 0 ? 503 : 200)
          }
          let analytics = try HTTPAnalytics(transport, folder, upload: .atFlush)
          analytics.track(0..<10)
          if moment == 0 { fail() }
          analytics.flush()
          #expect(await Patience.waitIdly { analytics.status.waiting == 0 })
          if moment == 3 { fail() }
          analytics.track(10..<20)
          analytics.queue.journal.synchronize()
          #expect(analytics.status.waiting == 10 && analytics.status.lost == [:])
          #expect(reports.all.count { $0.source.hasPrefix("Journal ") } == 1)
          #expect(!FileManager.default.fileExists(atPath: folder.path("queue")))
          chmod(folder.path, 0o755)
          await analytics.finish()
          let status = analytics.status
          #expect(status.delivered == 20 && status.lost == [:] && status.waiting == 0)
          #expect(numbers(transport.exchanges.dropFirst().flatMap(\.lines)) == Array(0..<20))
        }
      }
    }
  }

  @Test func `events tracked in a forked process are counted as lost and reported once`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let reports = Reports()
      try Diagnostics.withInstance(reports) {
        let analytics = try HTTPAnalytics(ScriptedTransport([]), folder)
        let end = statusOfFork {
          analytics.track(0..<3)
          analytics.store("ada")
          guard analytics.lostEvents == 3, reports.all.map(\.kind) == [.fork] else { return 1 }
          return FileManager.default.fileExists(atPath: folder.path("queue/identity")) ? 2 : 0
        }
        #expect(end == 0 && analytics.lostEvents == 0)
      }
    }
  }

  @Test func `after the consent file is removed, nothing is sent until consent is granted again`()
    async throws
  {
    let path = folder.path("consent.json")
    let consent = try Consent(path: path)
    consent.set(.granted, for: .analytics)
    let transport = ScriptedTransport([])
    let analytics = try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("queue"), .small, consent: consent), upload: .atFlush,
      transport: transport)
    analytics.track(0..<5)
    try FileManager.default.removeItem(atPath: path)
    analytics.flush()
    #expect(await Patience.waitIdly { consent[.analytics] == .pending })
    analytics.track(5..<10)
    #expect(analytics.status.waiting == 10 && transport.exchanges.isEmpty)
    consent.set(.granted, for: .analytics)
    await analytics.finish()
    #expect(numbers(transport.exchanges.flatMap(\.lines)) == Array(0..<10))
    #expect(Test.reports.count { $0.source == "Consent \(path)" } == 1)
  }
}
