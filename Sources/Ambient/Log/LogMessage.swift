/// The text of a log record, built from a string literal only when a log wants it.
public struct LogMessage: Hashable, Sendable, ExpressibleByStringInterpolation,
  CustomStringConvertible
{
  /// The text.
  public let description: String

  /// A message of that text.
  public init(stringLiteral value: String) { description = value }
}
