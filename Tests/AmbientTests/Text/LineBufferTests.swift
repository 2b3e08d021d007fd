import Foundation
import Testing

@testable import Ambient

@Suite struct `A line under construction` {
  private func line(_ body: (inout LineBuffer) -> Void) -> String {
    LineBuffer.with { line in
      body(&line)
      return line.text
    }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 1_023, 1_024, 1_025, 5_000])
  func `grows as it must`(count: Int) {
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

  @Test func `has memory for each byte that it says there is room for`() throws {
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
  func `escapes a character wherever it stands`(place: Int) {
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

  @Test func `escapes bytes that are no UTF-8, and those alone`() {
    let wrong: [[UInt8]] = [
      [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF5], [0xC3], [0xE2, 0x80], [0xFF, 0xFE],
    ]
    for bytes in wrong {
      let escaped = bytes.withUnsafeBytes { bytes in line { $0.append(escaping: bytes, .bare) } }
      #expect(escaped == bytes.map { "\\x" + String($0, radix: 16) }.joined())
      let quoted = bytes.withUnsafeBytes { bytes in line { $0.append(escaping: bytes, .quoted) } }
      #expect(quoted == String(repeating: "\\ufffd", count: bytes.count))
    }
    for scalar in ["\u{A0}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"] {
      #expect(line { $0.append(escaping: scalar, .bare) } == scalar)
    }
  }

  @Test func `writes whole numbers`() {
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
  func `copies pieces of any size, and nothing beside them`(size: Int) {
    let source = (0..<size).map { UInt8(truncatingIfNeeded: $0 + 1) }
    var target = [UInt8](repeating: 0, count: size + 2)
    target.withUnsafeMutableBytes { target in
      source.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        ShortCopy.copy(from, to: to + 1, size)
      }
    }
    #expect(target == [0] + source + [0])
  }
}
