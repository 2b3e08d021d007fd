import Ambient

extension FileRotation {
  /// Reads a rotation from the command line, such as `daily`, `hourly:48` or `10MB:5`: the time or
  /// the size at which a file is rotated, and the number of archives that are kept.
  ///
  /// - Throws: ``UsageError`` if the text is none of these, or if no number follows a colon.
  init(argument text: String, of option: Option) throws(UsageError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    var keep: Int?
    if parts.count > 1 {
      keep = Self.number(parts[1])
      guard keep != nil, parts.count == 2 else {
        throw .invalidValue(
          option.name,
          reason: "“\(text)” does not say how many to keep; write a whole number, as daily:14")
      }
    }
    switch parts[0] {
    case "daily": self = .daily(keep: keep)
    case "hourly": self = .hourly(keep: keep)
    default:
      guard let bytes = Self.bytes(parts[0]) else {
        throw .invalidValue(
          option.name,
          reason: """
            “\(text)” is no rotation; write daily, hourly or a size of at least one byte, as \
            1000000, 64KB, 10MB or 1GB
            """)
      }
      self = .size(bytes, keep: keep)
    }
  }

  /// Parses a size of at least one byte, such as `64KB`; returns nil for any other text. A KB is
  /// 1000 bytes.
  private static func bytes(_ text: String) -> Int? {
    let units = [("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)]
    let (suffix, factor) = units.first { text.hasSuffix($0.0) } ?? ("", 1)
    guard let number = number(text.dropLast(suffix.count)), number > 0 else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    return isTooLarge ? nil : bytes
  }

  /// Parses a whole number that has only digits; returns nil for any other text, such as a number
  /// with a sign.
  private static func number(_ text: some StringProtocol) -> Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return text.utf8.allSatisfy(digits.contains) ? Int(text) : nil
  }
}
