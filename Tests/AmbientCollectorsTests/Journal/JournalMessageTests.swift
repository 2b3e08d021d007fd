// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient
@testable import AmbientCollectors

@Suite struct `Journal messages` {
  @Test func `the journal's messages about errors equal those in messages.txt`() throws {
    let path = "/var/shop/queue"
    let reason = "Permission denied"
    let error: [JournalError] = [
      .inUse(path: path, process: nil), .inUse(path: path, process: SystemThread.process + 1),
    ]
    let other = "\(SystemThread.process + 1)"
    let long = JournalError.missing(path: String(repeating: "путь/", count: 2_000))
    #expect(long.description.count == 10_048)
    try MessageCatalog.expect(
      "Collectors, journals",
      [
        "A queue in use": "\(error[0])",
        "A queue in use by a known process":
          error[1].description.replacing(other, with: "4711"),
        "A queue in use by this process":
          "\(JournalError.inUse(path: path, process: SystemThread.process))"
          .replacing("\(SystemThread.process)", with: "4711"),
        "No queue": "\(JournalError.missing(path: path))",
        "An empty path": "\(JournalError.notAFolder(path: ""))",
        "A folder that is a file": "\(JournalError.notAFolder(path: path))",
        "A file that cannot be written": "\(JournalError.notPermitted(path: path, reason: reason))",
        "A full disk":
          "\(JournalError.full(path: path, bytes: 65_536, reason: "No space left on device"))",
        "A network file system":
          "\(JournalError.unsupported(path: path, reason: "it is a network file system"))",
        "A file of another version": "\(JournalError.otherVersion(path: path, version: 9))",
        "A file that isn't a queue":
          "\(JournalError.foreign(path: path, reason: "Is a directory"))",
        "A file that cannot be opened":
          "\(JournalError.unopened(path: path, reason: "Too many open files"))",
        "A path with quotes and control characters":
          "\(JournalError.missing(path: "/var/“shop”\"\n\u{7F}\u{202E}"))",
      ])
  }

  @Test func `the journal's messages about reports equal those in messages.txt`() throws {
    let folder = TemporaryFolder()
    let journal = try Journal(
      folder: folder.path("queue"),
      Journal.Options().with {
        $0.capacity = 65_536
        $0.maximumAge = .seconds(86_400)
      })
    defer { journal.close() }
    let reports = Reports()
    func text(_ loss: JournalLoss) -> String {
      var dropped = Journal.Dropped()
      dropped[loss] = 2
      Diagnostics.withInstance(reports) {
        journal.report(loss, of: dropped, waiting: 7, longest: 16_384)
      }
      return reports.messages.last ?? "none"
    }
    func damage(_ faults: [String]) -> String {
      Diagnostics.withInstance(reports) { journal.report(damage: 0, faults, waiting: 3) }
      return reports.messages.last ?? "none"
    }
    let error = JournalError.notPermitted(path: "/var/shop/queue", reason: "Permission denied")
    try MessageCatalog.expect(
      "Collectors, losses of journals",
      [
        "Changed records": text(.damaged),
        "A damaged file": damage(["it had 70000 bytes instead of 131072"]),
        "A full queue": text(.full),
        "Records that are too old": text(.expired),
        "A record that is too long": text(.tooLong),
        "Records of a lost file": text(.unsaved),
        "A truncated file": Journal.text(of: .lostPages, nil),
        "A truncated file that cannot be written again": Journal.text(of: .lostPages, error),
        "A moved file": Journal.text(of: .removed, nil),
        "A moved file that cannot be written again": Journal.text(of: .removed, error),
        "A failing disk": Journal.unsynchronized(SystemError(number: 5)),
      ])
    #expect(reports.all.allSatisfy { $0.source == "Journal \(folder.path("queue/queue"))" })
  }

  @Test func `the journal's messages about events that cannot be read equal those in messages.txt`()
    throws
  {
    func text(_ line: String) -> String {
      do throws(TrackedEventError) {
        return "\(try TrackedEvent(json: line))"
      } catch { return "\(error)" }
    }
    let id = "01939c1f-4a00-7000-8000-000000000001"
    let start = #"{"id":"\#(id)","time":"2026-11-27T05:00:00Z""#
    try MessageCatalog.expect(
      "Collectors, lines of events",
      [
        "No JSON": text(#"{"id":"\#(id)""#),
        "No object": text("[]"),
        "A malformed id": text(#"{"id":"7"}"#),
        "A malformed time": text(#"{"id":"\#(id)","time":"soon\n“”"}"#),
        "No event": text("\(start)}"),
        "Malformed properties": text(#"\#(start),"event":"a","properties":1}"#),
        "A user without an id": text(#"\#(start),"event":"a","user":{"x":1}}"#),
      ])
  }
}
