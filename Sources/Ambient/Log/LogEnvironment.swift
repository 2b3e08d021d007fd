/// The log's variables of the environment.
enum LogEnvironment {
  /// Read once. The first read may happen anywhere, even while a context creates its default log:
  /// the closure reads no context and calls no user code, so it cannot wait for itself.
  private static let settings: (levels: LogLevels, faults: [(name: String, text: String)]) = {
    let (levels, errors) = LogLevels.read(Environment.value("LOG_LEVEL") ?? "")
    var faults = errors.map { (name: "LOG_LEVEL", text: "\($0). In force is \(levels).") }
    let privacy = Environment.value("LOG_PRIVATE") ?? ""
    if !["", "show", "hide"].contains(privacy) {
      faults.append(("LOG_PRIVATE", "\(LogSettingError.privacy(privacy)). Values are hidden."))
    }
    return (levels, faults)
  }()

  static var levels: LogLevels { settings.levels }

  /// Reports malformed variables. Called with the first record, and not by an initializer, because
  /// reporting reads a context, which no initializer may do.
  static func report() {
    for (name, text) in settings.faults {
      Diagnostics.report(Diagnostic(.invalidSetting, source: name, text))
    }
  }
}
