/// A setting of the log that could not be understood.
public enum LogSettingError: DescribedError, Hashable {
  /// No level has that name.
  case level(String)
  /// A level is set for what is no name of a module, as in `=debug`.
  case module(String)
  /// No format has that name.
  case format(String)
  /// Privacy is neither shown nor hidden.
  case privacy(String)

  /// Says what is wrong, and what could stand there.
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
    case .privacy(let text): "“\(text)” is no privacy: choose show, or hide"
    }
  }
}
