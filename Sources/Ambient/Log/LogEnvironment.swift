/// What the environment says of logging.
enum LogEnvironment {
  /// Read once; nothing here calls anybody, so that it may be read from anywhere.
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

  /// Reports what is wrong: not while a log is made, since no initializer reads a context.
  static func report() {
    for (name, text) in settings.faults {
      Diagnostics.report(Diagnostic(.invalidSetting, source: name, text))
    }
  }
}
