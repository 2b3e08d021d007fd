// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Ambient
@testable import AmbientCollectors

@Suite struct `Queue messages` {
  private let record = Array(#"{"id":"01939c1f-4a00-7000-8000-000000000001","time":"2026"}"#.utf8)

  @Test func `the queue's messages about errors equal those in messages.txt`() throws {
    try MessageCatalog.expect(
      "Collectors, queues",
      [
        "A queue of another collector": "\(CollectorError.queueTaken(folder: "/var/shop/queue"))",
        "A file of a client id": "\(CollectorError.clientID(path: "/var/shop/queue/client-id"))",
        "A queue that cannot be opened":
          "\(CollectorError.queue(.missing(path: "/var/“shop”\r\n\u{7}/queue")))",
        "A file of refused events that cannot be opened":
          RefusedEvents.text(
            of: .notPermitted(path: "/var/shop/queue/refused", reason: "Permission denied")),
        "A stored user that cannot be read": StoredUser.unreadable,
        "A stored user that cannot be written": StoredUser.unwritten(SystemError(number: 28)),
        "An event of another destination":
          EventQueue.redirected(
            1, "event", in: "/var/shop/queue", from: "HTTPAnalytics https://a.example/"),
        "Records of a destination with a name of 10,000 characters":
          EventQueue.redirected(
            2, "record", in: "/var/shop/queue", from: String(repeating: "名\u{1}", count: 5_000)),
      ])
  }

  @Test func `the queue's messages about uploads equal those in messages.txt`() throws {
    func failure(_ text: String, returns: Int = 0, waiting: Int, isTurnedAway: Bool = false)
      -> String
    {
      UploadLedger.failure(
        text, returns: returns, waiting: waiting, "event", isTurnedAway: isTurnedAway)
    }
    try MessageCatalog.expect(
      "Collectors, uploads",
      [
        "A failure": failure("the connection was refused", waiting: 1),
        "A failure that came back":
          failure("status 503 (busy)", returns: 3, waiting: 2),
        "Wrong settings":
          failure("status 401; check url, headers and query", waiting: 2, isTurnedAway: true),
        "A recovery": UploadLedger.recovery(after: 1, "event", aside: 0),
        "A recovery, except for some records": UploadLedger.recovery(after: 4, "record", aside: 2),
        "A loss of one event": UploadLedger.loss(of: 1, "event", "status 400 (denied)"),
        "A loss of events": UploadLedger.loss(of: 2, "event", "not known to have arrived"),
        "A loss of a known event":
          UploadLedger.loss(of: 1, "event", record: record, "status 400 (denied)"),
        "A loss of a refused event":
          UploadLedger.loss(of: 1, "event", record: record, isKept: true, "status 400 (denied)"),
        "A loss of an event with an unreadable id":
          UploadLedger.loss(of: 1, "event", record: [], isKept: true, "status 400 (denied)"),
        "A collector that is off":
          CollectorEngine.off(by: "OTEL_SDK_DISABLED is true", "event", waiting: 0),
        "A collector that is off, with an event":
          CollectorEngine.off(by: "OTEL_SDK_DISABLED is true", "event", waiting: 1),
        "A collector that is off, with records":
          CollectorEngine.off(by: "OTEL_SDK_DISABLED is true", "record", waiting: 2),
        "An event after the shutdown": CollectorEngine.late("event"),
      ])
  }
}
