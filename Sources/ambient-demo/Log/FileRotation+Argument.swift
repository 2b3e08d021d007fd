// SPDX-License-Identifier: Apache-2.0

import Ambient

extension FileRotation {
  /// Reads a rotation from the command line, such as `daily`, `hourly:48` or `10MB:5`: the time or
  /// the size at which a file is rotated, and the number of archives that are kept. A KB is 1000
  /// bytes.
  ///
  /// - Throws: ``UsageError`` if the text is none of these, or if no number follows a colon.
  init(argument text: String, of option: Option) throws(UsageError) {
    let parts = text.parts(at: ":")
    let keep = parts.count == 2 ? Self.number(parts[1]) : nil
    guard parts.count == 1 || keep != nil else {
      throw .invalidValue(
        option.name, reason: "“\(text)” has no number of archives to keep; use one such as daily:14"
      )
    }
    switch parts[0] {
    case "daily": self = .daily(keep: keep)
    case "hourly": self = .hourly(keep: keep)
    default:
      guard let bytes = Self.bytes(parts[0]) else {
        throw .invalidValue(
          option.name,
          reason: """
            “\(text)” is not a rotation; use daily, hourly or a size of at least one byte, such as \
            1000000, 64KB, 10MB or 1GB
            """)
      }
      self = .size(bytes, keep: keep)
    }
  }

  /// Parses a size of at least one byte, such as `64KB`; returns nil for any other text.
  private static func bytes(_ text: String) -> Int? {
    let units = ["KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000]
    let factor = units[String(text.suffix(2))]
    guard let number = number(factor == nil ? text : String(text.dropLast(2))), number > 0 else {
      return nil
    }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor ?? 1)
    return isTooLarge ? nil : bytes
  }

  /// Parses a whole number that has only digits; returns nil for any other text, such as a number
  /// with a sign.
  private static func number(_ text: String) -> Int? {
    text.wholeMatch(of: /[0-9]+/) == nil ? nil : Int(text)
  }
}
