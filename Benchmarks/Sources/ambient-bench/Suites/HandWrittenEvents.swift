// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// The event as somebody would write it who knows what it is: each part copied to its place, into a
/// buffer that is used again, which is written when it is full.
///
/// The line is made outside of the lock, as a careful program would. The random bits of identities
/// are read four kilobytes at a time.
final class HandWrittenEvents: LineTarget {
  private let block: Mutex<(bytes: [UInt8], count: Int)>
  private let random: Mutex<(words: [UInt64], next: Int)>
  private let file: Int32

  init(path: String) {
    file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    block = Mutex(([UInt8](repeating: 0, count: 65_536), 0))
    random = Mutex(([UInt64](repeating: 0, count: 512), 512))
  }

  deinit { close(file) }

  func put(_ number: Int) {
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { memory in
      var line = HandWrittenLine(memory)
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      line.append("{\"id\":\"")
      line.append(identity: randomWords(), now)
      line.append("\",\"time\":\"")
      line.append(time: now)
      line.append(
        "\",\"event\":\"purchase\",\"properties\":{\"transaction_id\":\"100123\",\"value\":")
      line.append(number: 100_000 + number % 1_000)
      line.append(",\"currency\":\"EUR\",\"items\":")
      line.append(number: 3)
      line.append(number & 1 == 0 ? ",\"gift\":true}}\n" : ",\"gift\":false}}\n")
      let made = UnsafeRawBufferPointer(rebasing: memory[..<line.count])
      block.withLock { block in
        if block.count + made.count > block.bytes.count {
          _ = write(file, block.bytes, block.count)
          block.count = 0
        }
        block.bytes.withUnsafeMutableBytes { bytes in
          UnsafeMutableRawBufferPointer(rebasing: bytes[block.count...]).copyMemory(from: made)
        }
        block.count += made.count
      }
    }
  }

  func finish() { block.withLock { _ = write(file, $0.bytes, $0.count) } }

  private func randomWords() -> (UInt64, UInt64) {
    random.withLock { random in
      if random.next == random.words.count {
        random.words.withUnsafeMutableBytes { bytes in
          // Valid: the bytes are the array's own; two calls, since one gives 256 at most.
          for start in stride(from: 0, to: bytes.count, by: 256) {
            _ = getentropy(bytes.baseAddress! + start, 256)
          }
        }
        random.next = 0
      }
      defer { random.next += 2 }
      return (random.words[random.next], random.words[random.next + 1])
    }
  }
}

/// A line under construction in memory that is large enough.
private struct HandWrittenLine {
  private let memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  mutating func append(_ text: StaticString) {
    // Valid: a literal's bytes live as long as the program, and there is room for them.
    (memory.baseAddress! + count).copyMemory(
      from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    count += text.utf8CodeUnitCount
  }

  mutating func append(number: Int) {
    var digits = 1
    var rest = number
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    append(digits: digits, number)
  }

  mutating func append(digits: Int, _ number: Int) {
    var rest = number
    for place in stride(from: digits - 1, through: 0, by: -1) {
      memory[count + place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  private mutating func append(byte: UInt8) {
    memory[count] = byte
    count += 1
  }

  /// `2026-11-27T05:00:00.000Z`.
  mutating func append(time: timespec) {
    var (seconds, parts) = (time.tv_sec, tm())
    gmtime_r(&seconds, &parts)
    append(digits: 4, Int(parts.tm_year) + 1_900)
    append(byte: UInt8(ascii: "-"))
    append(digits: 2, Int(parts.tm_mon) + 1)
    append(byte: UInt8(ascii: "-"))
    append(digits: 2, Int(parts.tm_mday))
    append(byte: UInt8(ascii: "T"))
    append(digits: 2, Int(parts.tm_hour))
    append(byte: UInt8(ascii: ":"))
    append(digits: 2, Int(parts.tm_min))
    append(byte: UInt8(ascii: ":"))
    append(digits: 2, Int(parts.tm_sec))
    append(byte: UInt8(ascii: "."))
    append(digits: 3, time.tv_nsec / 1_000_000)
    append(byte: UInt8(ascii: "Z"))
  }

  /// A UUID of version 7.
  mutating func append(identity random: (UInt64, UInt64), _ now: timespec) {
    let milliseconds = UInt64(now.tv_sec * 1_000 + now.tv_nsec / 1_000_000)
    let high = milliseconds << 16 | 0x7000 | random.0 & 0xFFF
    let low = random.1 & ~(3 << 62) | 2 << 62
    append(hexadecimal: high >> 32, 8)
    append(byte: UInt8(ascii: "-"))
    append(hexadecimal: high >> 16, 4)
    append(byte: UInt8(ascii: "-"))
    append(hexadecimal: high, 4)
    append(byte: UInt8(ascii: "-"))
    append(hexadecimal: low >> 48, 4)
    append(byte: UInt8(ascii: "-"))
    append(hexadecimal: low, 12)
  }

  private mutating func append(hexadecimal number: UInt64, _ digits: Int) {
    var rest = number
    for place in stride(from: digits - 1, through: 0, by: -1) {
      let digit = UInt8(truncatingIfNeeded: rest & 15)
      memory[count + place] =
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") - 10 + digit
      rest >>= 4
    }
    count += digits
  }
}
