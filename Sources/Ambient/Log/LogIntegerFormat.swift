/// How a whole number stands in a message.
public struct LogIntegerFormat: Hashable, Sendable {
  @usableFromInline let radix: Int
  let minDigits: Int

  /// In tens: `42`.
  public static var decimal: LogIntegerFormat { decimal(minDigits: 1) }

  /// In tens, with zeros in front: `\(7, format: .decimal(minDigits: 3))` is `007`; at most 64.
  public static func decimal(minDigits: Int) -> LogIntegerFormat {
    LogIntegerFormat(radix: 10, minDigits: minDigits)
  }

  /// In sixteens: `0x2a`; with zeros in front up to `minDigits`, at most 64.
  public static func hex(minDigits: Int = 1) -> LogIntegerFormat {
    LogIntegerFormat(radix: 16, minDigits: minDigits)
  }

  /// In eights: `0o52`; with zeros in front up to `minDigits`, at most 64.
  public static func octal(minDigits: Int = 1) -> LogIntegerFormat {
    LogIntegerFormat(radix: 8, minDigits: minDigits)
  }

  /// In twos: `0b101010`; with zeros in front up to `minDigits`, at most 64.
  public static func binary(minDigits: Int = 1) -> LogIntegerFormat {
    LogIntegerFormat(radix: 2, minDigits: minDigits)
  }

  /// Whether it is in tens, with no zeros in front.
  @inline(__always)
  var isPlain: Bool { radix == 10 && minDigits <= 1 }

  /// Appends what stands before the digits.
  func start(_ text: inout MessageText, isNegative: Bool) {
    if isNegative { text.append("-" as StaticString) }
    switch radix {
    case 16: text.append("0x" as StaticString)
    case 8: text.append("0o" as StaticString)
    case 2: text.append("0b" as StaticString)
    default: break
    }
  }
}
