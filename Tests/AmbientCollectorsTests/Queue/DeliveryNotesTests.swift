// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.quiet) struct `Status files in the queue folder` {
  private let folder = TemporaryFolder()

  @Test func `a queue remembers the last 64 destinations that accepted events`() throws {
    let queue = try EventQueue(folder: folder.path("queue"), .small)
    for number in 0..<64 { queue.noteAccepted("destination \(number)") }
    #expect((0..<64).allSatisfy { queue.hasAccepted("destination \($0)") })
    // One that is known has its place already.
    queue.noteAccepted("destination 0")
    let before = try folder.text("queue/accepted")
    #expect(before.split(separator: "\n").count == 64)
    queue.noteAccepted("destination 64")
    #expect(!queue.hasAccepted("destination 0"))
    #expect((1...64).allSatisfy { queue.hasAccepted("destination \($0)") })
    #expect(try folder.text("queue/accepted").split(separator: "\n").count == 64)
    #expect(!queue.hasAccepted("destination 65"))
  }

  @Test
  func `a queue's trouble file contains a failure's time and reason until deliveries recover`()
    throws
  {
    let queue = try EventQueue(folder: folder.path("queue"), .small)
    #expect(EventQueue.trouble(in: queue.folder) == nil)
    let since = Date(timeIntervalSince1970: 1_795_755_600)
    queue.note(DeliveryTrouble(reason: "no route", since: since, attempts: 7))
    #expect(try folder.text("queue/trouble") == "2026-11-27T05:00:00.000Z\nno route\n")
    #expect(
      EventQueue.trouble(in: queue.folder)
        == DeliveryTrouble(reason: "no route", since: since, attempts: 0))
    queue.note(nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path("queue/trouble")))
    queue.note(nil)
    #expect(EventQueue.trouble(in: queue.folder) == nil)
  }

  @Test func `a queue's file of lost events has one line with the total for each reason`() throws {
    let path = folder.path("queue")
    let queue = try EventQueue(folder: path, .small)
    queue.note(lost: [:])
    #expect(!FileManager.default.fileExists(atPath: folder.path("queue/lost")))
    queue.note(lost: ["b": 2, "a\nnew\nline": 1])
    #expect(try folder.text("queue/lost") == "1 a new line\n2 b\n")
    queue.note(lost: ["b": 3, "c": Int.max])
    #expect(try EventQueue.lost(in: path) == ["a new line": 1, "b": 5, "c": 1 << 50])
    queue.note(lost: ["c": 1])
    #expect(try EventQueue.lost(in: path)["c"] == 1 << 50)
  }

  @Test
  func `a queue's new destination is reported only if events wait for an earlier destination`()
    throws
  {
    let queue = try EventQueue(folder: folder.path("queue"), .small)
    #expect(EventQueue.destination(in: queue.folder) == nil)
    for name in ["first", "second"] {
      queue.note(destination: name, noun: "event")
      #expect(EventQueue.destination(in: queue.folder) == name)
    }
    #expect(Test.reports.isEmpty)
    #expect(Array("{}".utf8).withUnsafeBytes { queue.journal.append($0, at: Date()) })
    queue.note(destination: "second", noun: "event")
    #expect(Test.reports.isEmpty)
    queue.note(destination: "third", noun: "event")
    #expect(Test.reports.map(\.source) == ["third"])
    #expect(
      Test.reports.first?.message
        == EventQueue.redirected(1, "event", in: queue.folder, from: "second"))
  }
}
