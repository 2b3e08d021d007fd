// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `Log messages` {
  private func text(_ message: LogMessage) -> String { message.description }

  @Test func `a log message is built from interpolated strings, numbers, Booleans and dates`() {
    let name = "Ada"
    let none: Int? = nil
    let some: String? = "x"
    #expect(text("plain") == "plain")
    #expect(text("\(name) \(42) \(-7) \(UInt8.max) \(true)") == "Ada 42 -7 255 true")
    #expect(text("\(0) \(UInt8(0)) \(Int128(0)) \(AmbientValue.unsigned(7))") == "0 0 0 7")
    #expect(text("\(Int.min) \(UInt64.max)") == "-9223372036854775808 18446744073709551615")
    #expect(
      text("\(Int128.max) \(Int128.min)") == "\(Int128.max.description) \(Int128.min.description)")
    #expect(text("\(0.1) \(Float(0.1)) \(-0.0) \(Double.nan)") == "0.1 0.1 -0.0 nan")
    #expect(text("\(none) \(some)") == "nil x")
    let guest: String? = nil
    #expect(text("\(guest, default: "nobody") \(some, default: "y")") == "nobody x")
    #expect(text("\(none, default: "0")") == "0")
    #expect(!text("\(guest, default: "hidden", privacy: .private)").contains("hidden"))
    #expect(text("\(name.dropFirst()) \([1, 2]) \(LogLevel.info)") == "da [1, 2] info")
    #expect(
      text("at \(Date(timeIntervalSinceReferenceDate: 0.25))") == "at 2001-01-01T00:00:00.250Z")
  }

  @Test func `the fixed number format rounds random numbers like the C library`() {
    var generator = SystemRandomNumberGenerator()
    var values = [0.5, 1.5, 2.5, 0.125, 1.115, 2.675, 1e15 + 0.3, 0.0005, 9.9995, -3.14159]
    values += (0..<2_000).map { _ in
      Double(sign: .plus, exponent: Int.random(in: -30...50), significand: Double.random(in: 1..<2))
    }
    for value in values {
      let digits = Int.random(in: 0...9, using: &generator)
      #expect(
        text("\(value, format: .fixed(digits))") == String(format: "%.\(digits)f", value),
        "\(value) to \(digits) digits")
    }
    #expect(text("\(Double.infinity, format: .fixed(2))") == "inf")
    #expect(text("\(1e300, format: .fixed(2))") == "1e+300")
    #expect(text("\(Float(0.5), format: .fixed(2))") == "0.50")
    #expect(text("\(Float(1e20), format: .fixed(2))") == "1e+20")
    #expect(text("\(0.1, format: .shortest)") == "0.1")
  }

  @Test(arguments: [
    0.5, 1.5, 2.5, 0.125, 0.375, 0.625, 0.875, 0.05, 0.15, 0.35, 0.0015, 0.005, 0.96, 9.9996, 99.5,
    7, 0, -0.0, -0.004, -2.675, 1.005, 18_446_744_073_709_549_568,
  ])
  func `the fixed number format rounds halves like the C library`(value: Double) {
    for digits in 0...15 {
      let expected = String(format: "%.\(digits)f", value)
      #expect(text("\(value, format: .fixed(digits))") == expected, "\(digits) digits")
    }
    #expect(text("\(value, format: .fixed(-1))") == String(format: "%.0f", value))
    #expect(text("\(value, format: .fixed(20))") == String(format: "%.15f", value))
  }

  /// In a process of its own: a whole part that does not fit traps.
  @Test
  func `the fixed number format writes numbers of 2 to the 64th and above in the shortest form`()
    async
  {
    await #expect(processExitsWith: .success) {
      let value = 18_446_744_073_709_551_616.0
      let message: LogMessage = "\(value, format: .fixed(1)) \(-value, format: .fixed(0))"
      #expect(message.description == "1.8446744073709552e+19 -1.8446744073709552e+19")
    }
  }

  @Test(arguments: [255, 256, 257, 1_000, 1 << 20])
  func `a log message of any length up to 1 MiB keeps its text`(count: Int) {
    let part = String(repeating: "é", count: count / 2) + (count % 2 == 1 ? "x" : "")
    let message: LogMessage = "\(part)"
    #expect(message.description == part)
    #expect(message.withUTF8 { $0.count } == count)
    #expect(text("\(part)|\(part)|\(count)") == "\(part)|\(part)|\(count)")
  }

  @Test(arguments: [["a>", "b"], ["<hash:1", "b"], ["private>", "b"], ["<private", "b"]])
  func `an array of strings that look like privacy placeholders is logged as Swift prints it`(
    list: [String]
  ) {
    #expect(text("\(list)") == "\(list as Any)")
    #expect(text("\(["<private>"] + list)").hasPrefix(#"["<private>",""#))
  }

  @Test func `log messages with the same text are equal`() {
    let long = String(repeating: "x", count: 300)
    #expect(LogMessage("order \(1)") == "order 1")
    #expect(LogMessage(long) == "\(long)")
    #expect(LogMessage("a") != "b")
    #expect(LogMessage("a").hashValue == ("\("a")" as LogMessage).hashValue)
  }

  @Test func `a log message keeps bytes that are not valid UTF-8`() {
    let message: LogMessage = "got \(utf8: [0x61, 0xFF, 0x62])"
    #expect(message.description == "got a\u{FFFD}b")
    #expect(message.withUTF8 { Array($0) } == Array("got a".utf8) + [0xFF, 0x62])
  }
}
