// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `Line buffer` {
  private func line(_ body: (inout LineBuffer) -> Void) -> String {
    LineBuffer.with { line in
      body(&line)
      return line.text
    }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 1_023, 1_024, 1_025, 5_000])
  func `a LineBuffer grows with the text that is appended to it`(count: Int) {
    let text = String(repeating: "x", count: count)
    #expect(line { $0.append(text) } == text)
    #expect(line { line in for byte in text.utf8 { line.append(byte) } } == text)
    #expect(
      line { line in
        line.append("start ")
        line.append(escaping: text, .quoted)
        line.append(integer: -5)
      } == "start \(text)-5")
  }

  @Test func `on the stack and on the heap, LineBuffer append() offers only allocated memory`()
    throws
  {
    let size = try #require(Self.heapSize)
    LineBuffer.with { line in
      var isShort = false
      while line.count < 10_000, !isShort {
        let count = line.count
        line.append(capacity: 1) { room in
          guard let end = room.baseAddress else { return 0 }
          // On the stack up to 1,024 bytes; then on the heap, whose memory knows its size.
          isShort = count >= 1_024 && size(end - count) <= count
          if !isShort { end.storeBytes(of: 0, as: UInt8.self) }
          return isShort ? 0 : 1
        }
      }
      #expect(!isShort, "no room for the byte \(line.count)")
    }
  }

  @Test func `a LineBuffer keeps its address up to 1,024 bytes and then moves to the heap`() {
    let ways: [(inout LineBuffer, Int) -> Void] = [
      { $0.append(String(repeating: "x", count: $1)) },
      { line, count in
        line.append(capacity: count) { room in
          room.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"))
          return room.count
        }
      },
    ]
    for way in ways {
      for first in [0, 1, 1_000, 1_023] {
        LineBuffer.with { line in
          let start = line.bytes.baseAddress
          way(&line, first)
          way(&line, 1_024 - first)
          #expect(line.count == 1_024 && line.bytes.baseAddress == start)
          way(&line, 1)
          #expect(line.count == 1_025 && line.bytes.baseAddress != start)
          #expect(line.bytes.allSatisfy { $0 == UInt8(ascii: "x") })
        }
      }
    }
  }

  @Test func `every kind of append beyond 1,024 bytes moves a LineBuffer to the heap`() {
    let fields: AmbientFields = ["a": "xy", "bc": 7, "d": "two words"]
    let ways: [(inout LineBuffer) -> Void] = [
      { line in fields.read { line.append(json: $0) } },
      { line in fields.read { line.append(pairs: $0) } },
      { $0.append(json: "text") }, { $0.append("text" as StaticString) },
      { $0.append(escaping: "text", .quoted) }, { $0.append(UUIDWords(high: 1, low: 2)) },
      { $0.append(integer: -12_345) }, { $0.append(date: Date(timeIntervalSince1970: 0)) },
    ]
    for (number, way) in ways.enumerated() {
      for count in 970...1_024 {
        LineBuffer.with { line in
          line.append(String(repeating: "x", count: count))
          let start = line.bytes.baseAddress
          way(&line)
          let isMoved = line.bytes.baseAddress != start
          if line.count > 1_024, !isMoved { Issue.record("way \(number) after \(count) bytes") }
        }
      }
    }
  }

  @Test(arguments: [0, 1, 600, 1_024])
  func `LineBuffer append() with a large capacity allocates memory for all of the capacity`(
    count: Int
  )
    throws
  {
    let size = try #require(Self.heapSize)
    LineBuffer.with { line in
      line.append(String(repeating: "x", count: count))
      line.append(capacity: 5_000) { room in
        let start = room.baseAddress.map { $0 - count }
        #expect(start.map { size($0) >= count + 5_000 } == true)
        return 0
      }
    }
  }

  private typealias HeapSize = @convention(c) (UnsafeMutableRawPointer) -> Int

  /// The system's function that tells how many bytes of the heap begin at an address. Swift's module
  /// of glibc has none of the header that declares it.
  private static var heapSize: HeapSize? {
    let names = ["malloc_usable_size", "malloc_size"]
    let symbol = names.lazy.compactMap { dlsym(dlopen(nil, RTLD_NOW), $0) }.first
    // Valid: both have this type, with a size of one word.
    return symbol.map { unsafeBitCast($0, to: HeapSize.self) }
  }

  @Test(arguments: 0..<40)
  func `a LineBuffer escapes a special character at any position`(place: Int) {
    let before = String(repeating: "a", count: place)
    let cases: [(Character, String, String)] = [
      ("\n", "\\n", "\\n"), ("\u{1B}", "\\u001b", "\\u001b"), ("\u{7F}", "\\u007f", "\\u007f"),
      ("\u{85}", "\\u0085", "\\u0085"), ("\u{2028}", "\\u2028", "\\u2028"), ("\"", "\"", "\\\""),
      ("\\", "\\", "\\\\"), ("é", "é", "é"), ("🛒", "🛒", "🛒"), (" ", " ", " "), ("~", "~", "~"),
    ]
    for (character, bare, quoted) in cases {
      let text = "\(before)\(character)bbbbbbbbb"
      #expect(line { $0.append(escaping: text, .bare) } == "\(before)\(bare)bbbbbbbbb")
      #expect(line { $0.append(escaping: text, .quoted) } == "\(before)\(quoted)bbbbbbbbb")
    }
  }

  @Test func `a LineBuffer escapes bytes that aren't UTF-8 and keeps valid characters`() {
    let wrong: [[UInt8]] = [
      [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF5], [0xC3], [0xE2, 0x80], [0xFF, 0xFE], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF],
      [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x9B],
      [0xF0, 0x9F, 0x9B, 0xC0], [0xE2, 0x82, 0xC0], [0xF4, 0x8F],
    ]
    for bytes in wrong {
      let escaped = bytes.withUnsafeBytes { bytes in line { $0.append(escaping: bytes, .bare) } }
      #expect(escaped == bytes.map { "\\x" + String($0, radix: 16) }.joined())
      let quoted = bytes.withUnsafeBytes { bytes in line { $0.append(escaping: bytes, .quoted) } }
      #expect(quoted == String(repeating: "\\ufffd", count: bytes.count))
    }
    for scalar in [
      "\u{A0}", "\u{7FF}", "\u{800}", "\u{FFF}", "\u{1000}", "\u{D7FF}", "\u{E000}", "\u{FFFF}",
      "\u{10000}", "\u{3FFFF}", "\u{40000}", "\u{FFFFF}", "\u{100000}", "\u{10FFFF}",
    ] {
      #expect(line { $0.append(escaping: scalar, .bare) } == scalar)
    }
  }

  @Test func `a LineBuffer writes integers in several radixes, padded with zeros`() {
    for value in [0, 1, -1, 9, 10, .max, .min] as [Int64] {
      #expect(line { $0.append(integer: value) } == String(value))
    }
    for radix in [2, 8, 10, 16] {
      for shift in 0..<64 {
        for value in [UInt64.max >> shift, 1 << shift, UInt64.random(in: 0...UInt64.max >> shift)] {
          let text = String(value, radix: radix)
          #expect(
            line { $0.append(magnitude: value, radix: UInt64(radix), minDigits: 1) } == text)
          let padded = String(repeating: "0", count: max(12 - text.count, 0)) + text
          #expect(
            line { $0.append(magnitude: value, radix: UInt64(radix), minDigits: 12) } == padded)
        }
      }
    }
  }

  @Test(arguments: 0..<70)
  func `ShortCopy copies 0 to 69 bytes and writes no byte beyond them`(size: Int) {
    // Room on both sides, in which a copy of too much shows.
    let source = (0..<size + 64).map { UInt8(truncatingIfNeeded: $0 + 1) }
    var target = [UInt8](repeating: 0, count: size + 64)
    let end = target.withUnsafeMutableBytes { target in
      source.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return -1 }
        let piece = UnsafeRawBufferPointer(start: from + 32, count: size)
        return ShortCopy.copy(piece, to: to + 32) - to
      }
    }
    let beside = [UInt8](repeating: 0, count: 32)
    #expect(target == beside + source[32..<32 + size] + beside && end == 32 + size)
  }
}
