/// Why a text is no instant in ISO 8601.
public struct ISO8601Error: DescribedError, Hashable {
  /// The text.
  public let text: String
  /// Where it is wrong: the number of UTF-8 bytes before the place.
  public let offset: Int
  /// What should stand there.
  public let expected: String

  /// Says what is wrong, where, and what a right text looks like.
  public var description: String {
    """
    “\(text)” is no instant: at character \(offset + 1), expected \(expected) \
    (as in 2026-11-27T00:00:00-05:00)
    """
  }
}
