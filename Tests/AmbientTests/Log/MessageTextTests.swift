// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `Message text memory` {
  private let ways: [(inout MessageText, Int) -> Void] = [
    { $0.append(String(repeating: "y", count: $1)) },
    { text, count in
      text.append(capacity: count) { room in
        room.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "y"))
        return room.count
      }
    },
  ]

  @Test(arguments: 1...8)
  func `the memory of a log message's text grows only if the next bytes don't fit`(size: Int) throws
  {
    for append in ways {
      for missing in [0, 1] {
        var text = MessageText()
        let room = text.memory.count
        let start = String(repeating: "x", count: room - size + missing)
        text.append(start)
        #expect(text.memory.count == room)
        append(&text, size)
        #expect(text.count == room + missing)
        #expect((text.memory.count > room) == (missing > 0))
        try #require(text.memory.count >= text.count)
        #expect(text.string == start + String(repeating: "y", count: size))
      }
    }
  }

  @Test func `a log message of any length from 400 to 520 bytes keeps its named values`() {
    for count in 400...520 {
      _ = ThreadMemory.withCurrent { $0.takeSpare() }
      let part = String(repeating: "x", count: count)
      let record = LogRecord(
        date: Date(timeIntervalSinceReferenceDate: 0), level: .info,
        message: "\(part)\(7, name: "a")\("y", name: "b")|\(true, name: "c")", metadata: [:],
        source: SourcePlace(fileID: "Shop/Till.swift", line: 3))
      #expect(record.message.description == "\(part)7y|true")
      #expect(record.metadata == ["a": 7, "b": "y", "c": true])
    }
  }
}
