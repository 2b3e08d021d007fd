/// A malformed setting of the log.
public struct LogSettingError: DescribedError, Hashable {
  /// The kind of the malformed setting.
  @nonexhaustive
  public enum Code: Sendable, Hashable {
    /// The text is not the name of a level.
    case level
    /// The text before `=` is not the name of a module, as in `=debug`.
    case module
    /// The text is not the name of a format.
    case format
    /// The word for private values is neither `show` nor `hide`.
    case privacy
  }

  /// The kind of the malformed setting.
  public let code: Code
  /// The malformed text.
  public let text: String

  init(_ code: Code, _ text: String) {
    self.code = code
    self.text = text
  }

  /// The fault, and the possible values.
  public var description: String {
    switch code {
    case .level:
      """
      “\(text)” is no level: choose \(LogLevel.allCases.map(\.rawValue).joined(separator: ", ")) \
      or off
      """
    case .module: "“\(text)” names no module: write Module=level, as Checkout=debug"
    case .format:
      """
      “\(text)” is no log format: choose \
      \(LogFormat.Layout.allCases.map(\.rawValue).joined(separator: ", "))
      """
    case .privacy: "“\(text)” is no setting of privacy: choose show, or hide"
    }
  }
}
