// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.timeLimit(.minutes(30))) struct `Erasing journal records` {
  private let queue = Queue()

  private func isInFile(_ text: String) throws -> Bool {
    try Data(queue.bytes()).range(of: Data(text.utf8)) != nil
  }

  @Test func `erased records leave no byte in a journal's file, and all other records stay`()
    throws
  {
    do {
      let journal = try queue.open()
      for number in 0..<300 { journal.append("\(number % 3 == 1 ? "Ada" : "Bob") \(number)") }
      #expect(try isInFile("Ada") && isInFile("Bob"))
      #expect(journal.erase { $0.text.hasPrefix("Ada") } == 100)
      #expect((journal.count, journal.dropped) == (200, Journal.Dropped()))
      #expect(journal.texts() == (0..<300).filter { $0 % 3 != 1 }.map { "Bob \($0)" })
      #expect(journal.byteCount == journal.texts().map(\.utf8.count).reduce(0, +))
      #expect(try !isInFile("Ada") && isInFile("Bob"))
      #expect(journal.erase { $0.text.hasPrefix("Ada") } == 0)
      let second = journal.batch(maximumCount: 2, maximumBytes: 99, now: Journal.now)[1]
      journal.acknowledge(second.position)
      #expect(journal.count == 198 && journal.texts().first == "Bob 3")
    }
    let journal = try queue.open()
    #expect(journal.count == 198 && journal.dropped == Journal.Dropped())
    #expect(journal.erase { _ in true } == 198)
    #expect((journal.count, journal.byteCount, journal.oldest) == (0, 0, nil))
    journal.append("Cleo")
    #expect(journal.texts() == ["Cleo"])
  }

  @Test(.quiet)
  func `erasing journal records also clears the bytes of delivered and dropped records`() throws {
    let journal = try queue.open { $0.maximumAge = .seconds(60) }
    journal.append("Ada, who is too old", at: Journal.now - 61)
    journal.append("Ada, who was delivered")
    for record in journal.batch(maximumCount: 9, maximumBytes: 99, now: Journal.now) {
      journal.acknowledge(record.position)
    }
    journal.append("Bob")
    #expect(try isInFile("Ada, who was delivered") && !isInFile("Ada, who is too old"))
    #expect(journal.erase { $0.text.hasPrefix("Ada") } == 0)
    #expect(try !isInFile("Ada"))
    // Nor of a record over which another was written that is shorter.
    for number in 0..<1_000 { journal.append("Ada \(number) " + String(repeating: "a", count: 90)) }
    #expect(journal.erase { _ in true } == 1_001 - journal.dropped.full)
    #expect(try !isInFile("Ada") && !isInFile("aaaa"))
    #expect(Test.reports.map(\.kind) == [.undelivered, .undelivered])
  }

  @Test func `the closure passed to Journal.erase can append to the same journal`() throws {
    let journal = try queue.open()
    for number in 0..<200 { journal.append("\(number)") }
    var asked = 0
    let erased = journal.erase { record in
      asked += 1
      // As many as there were.
      if asked <= 200 { journal.append("more") }
      return record.text != "more"
    }
    #expect(erased == 200 && journal.count == 200 && asked == 200)
    #expect(Set(journal.texts()) == ["more"])
  }

  @Test func `a record that the erase closure acknowledges isn't counted as erased`() throws {
    let journal = try queue.open()
    for number in 0..<10 { journal.append("\(number)") }
    var isFirst = true
    let erased = journal.erase { record in
      if isFirst { journal.acknowledge(record.position) }
      isFirst = false
      return true
    }
    #expect(erased == 9 && journal.count == 0)
  }

  @Test(.quiet)
  func `opening a journal completes an erasure that was interrupted by a kill of the program`()
    throws
  {
    var before: [UInt8] = []
    do {
      let journal = try queue.open()
      journal.append("Ada")
      journal.append("Bob")
      before = try queue.bytes()
      journal.erase { $0.text == "Ada" }
    }
    // As if it had been killed at once: of all that was written, the file has only the mark, in the
    // record's frame, which ends where its text begins.
    let text = try #require(Data(before).range(of: Data("Ada".utf8))).lowerBound
    let frame = text - 24..<text
    var bytes = before
    bytes.replaceSubrange(frame, with: try queue.bytes()[frame])
    #expect(bytes != before)
    try queue.write(bytes)
    #expect(try queue.open().texts() == ["Bob"])
    #expect(try !isInFile("Ada"))
    #expect(Test.reports.map(\.kind) == [.damaged])
  }
}
