/// A malformed setting of the log.
public enum LogSettingError: DescribedError, Hashable {
  /// The text is not the name of a level.
  case level(String)
  /// The text before `=` is not the name of a module, as in `=debug`.
  case module(String)
  /// The text is not the name of a format.
  case format(String)
  /// The word for private values is neither `show` nor `hide`.
  case privacy(String)

  /// The fault, and the possible values.
  public var description: String {
    switch self {
    case .level(let text):
      """
      “\(text)” is no level: choose \(LogLevel.allCases.map(\.rawValue).joined(separator: ", ")) \
      or off
      """
    case .module(let text): "“\(text)” names no module: write Module=level, as Checkout=debug"
    case .format(let text):
      """
      “\(text)” is no log format: choose \
      \(LogFormat.Layout.allCases.map(\.rawValue).joined(separator: ", "))
      """
    case .privacy(let text): "“\(text)” is no setting of privacy: choose show, or hide"
    }
  }
}
