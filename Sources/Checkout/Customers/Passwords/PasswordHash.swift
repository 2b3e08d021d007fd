/// What is kept of a password: its scheme, its salt and its digest, as one text.
///
/// It describes itself without its content, so that it does not end up in a log by mistake.
public struct PasswordHash: RawRepresentable, Hashable, Sendable, Codable {
  /// The text, as `$6$rounds=100000$salt$digest`.
  public let rawValue: String

  /// The hash that is kept as that text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The same for each hash.
  public var description: String { "PasswordHash(hidden)" }

  /// The same for each hash.
  public var debugDescription: String { description }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
