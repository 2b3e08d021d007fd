// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Invisible characters` {
  /// What Unicode says of it, without a look at what stands around.
  private func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  @Test(.withoutSanitizer)
  func `between ASCII letters, exactly the invisible characters are escaped`() {
    let planes = Array(0x80..<0x40000) + Array(0xE0000..<0xE1000)
    let wrong = planes.compactMap { Unicode.Scalar(UInt32($0)) }.filter { scalar in
      let text = "x\(scalar)x"
      return (text.escaped != text) != isUnseen(scalar)
    }
    #expect(wrong == [])
  }

  @Test(arguments: [
    (0x200B, "\\u200b"), (0x2060, "\\u2060"), (0xFEFF, "\\ufeff"), (0xAD, "\\u00ad"),
    (0x180E, "\\u180e"), (0xFFF9, "\\ufff9"), (0xFFFB, "\\ufffb"), (0x3164, "\\u3164"),
    (0x202E, "\\u202e"), (0x7F, "\\u007f"), (0x200D, "\\u200d"), (0xFE0F, "\\ufe0f"),
    (0xE0041, "\\u{e0041}"), (0xE0100, "\\u{e0100}"),
  ])
  func `an invisible character is escaped in log messages, events, names and values`(
    code: UInt32, escaped: String
  ) throws {
    let scalar = try #require(Unicode.Scalar(code))
    let text = "a\(scalar)b"
    #expect(text.escaped == "a\(escaped)b")
    let record = LogRecord(
      date: Date(timeIntervalSince1970: 0), level: .info, message: LogMessage(text),
      metadata: [text: text], source: SourcePlace(fileID: text, function: text, line: 1))
    for layout in LogFormat.Layout.allCases {
      let line = LogFormat(layout, showsSource: true).line(record)
      #expect(!line.unicodeScalars.contains(scalar), "\(layout)")
    }
    // JSON reads it back as it was.
    let event = TrackedEvent(
      Event(text, [text: text]), id: UUID(), date: Date(timeIntervalSince1970: 0))
    #expect(!event.json.unicodeScalars.contains(scalar))
    let read = try Array(event.json.utf8).withUnsafeBytes { try JSONReader.value($0) }
    guard case .fields(let members) = read else { return #expect(Bool(false), "\(read)") }
    #expect(members["event"] == .string(text) && members["properties"] == .fields([text: text]))
    #expect(!AmbientValue.fields([text: text]).json.unicodeScalars.contains(scalar))
  }

  @Test(arguments: [
    "👩‍🍳", "👩🏽‍💻", "🏳️‍🌈", "❤️‍🔥", "1️⃣", "☎︎", "می‌خواهم", "क्‍ष", "≩︀", "葛飾", "Jürgen", "עברית", "한국어",
  ])
  func `valid joiners and variation selectors in emoji and other scripts aren't escaped`(
    text: String
  ) {
    #expect(text.escaped == text)
    #expect("plain \(text), plain".escaped == "plain \(text), plain")
  }

  @Test(arguments: [
    ("a\u{200D}b", "a\\u200db"), ("👩\u{200D}", "👩\\u200d"), ("\u{200D}👩", "\\u200d👩"),
    ("👩\u{200D}\u{200D}🍳", "👩\\u200d\\u200d🍳"), ("ad\u{200C}min", "ad\\u200cmin"),
    ("1\u{FE0F}", "1\\ufe0f"), ("a\u{FE00}", "a\\ufe00"), ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\ufe0f"),
    ("é\u{FE0F}", "é\\ufe0f"), ("\u{FE0F}", "\\ufe0f"),
    // After a space, at both ends, and after what is escaped itself.
    (" \u{FE00}", " \\ufe00"), ("👩 \u{200D}🍳", "👩 \\u200d🍳"), ("👩\u{200D} 🍳", "👩\\u200d 🍳"),
    ("خ\u{200C}", "خ\\u200c"), ("\u{200C}خ", "\\u200cخ"),
    ("خ\u{200C}\u{200C}خ", "خ\\u200c\\u200cخ"),
    ("\n\u{FE0F}", "\\n\\ufe0f"), ("\u{7}\u{200D}👩", "\\u0007\\u200d👩"),
    ("\u{202E}\u{200D}👩", "\\u202e\\u200d👩"), ("\u{85}\u{FE00}", "\\u0085\\ufe00"),
    ("\u{3164}\u{200D}\u{3164}", "\\u3164\\u200d\\u3164"), ("\u{3164}\u{FE00}", "\\u3164\\ufe00"),
    ("é\u{200D}\u{3164}", "é\\u200d\\u3164"), ("é\u{34F}\u{200D}é", "é\\u034f\\u200dé"),
    ("a\u{FE0F}\u{200D}👩", "a\\ufe0f\\u200d👩"), ("葛\u{FE00}\u{FE00}", "葛\u{FE00}\\ufe00"),
    ("…\u{FE00}", "…\\ufe00"), ("क\u{93E}\u{FE00}", "क\u{93E}\\ufe00"),
    ("…\u{200D}👩", "…\\u200d👩"), ("👩\u{200D}…", "👩\\u200d…"),
    ("葛\u{E0100}\u{200D}飾", "葛\\u{e0100}\\u200d飾"), ("≩\u{FE00}\u{FE0F}", "≩\u{FE00}\\ufe0f"),
  ])
  func `a joiner without a neighbor is escaped, as is a variation selector without a base`(
    text: String, escaped: String
  ) {
    #expect(text.escaped == escaped)
    // The same in a name, and between quotation marks where JSON writes what is beyond U+FFFF so.
    let inJSON = escaped.replacing("\\u{e0100}", with: "\\udb40\\udd00")
    #expect(Event(text).json.contains("\"event\":\"\(inJSON)\""))
    #expect(Event("e", [text: 1]).json.contains("{\"\(inJSON)\":1}"))
  }

  @Test func `a zero-width joiner beside invalid UTF-8 is escaped`() {
    // A joiner after half a character, and before one.
    let joiner: [UInt8] = [0xE2, 0x80, 0x8D]
    let cook = Array("👩".utf8)
    for bytes in [
      Array(cook.dropLast()) + joiner + cook, cook + joiner + cook.dropLast(), [0x80] + joiner,
    ] {
      let text = bytes.withUnsafeBytes { bytes in
        LineBuffer.with { line in
          line.append(escaping: bytes, .bare)
          return line.text
        }
      }
      #expect(text.contains("\\u200d"), "\(text)")
    }
  }
}
