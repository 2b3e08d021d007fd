internal import Synchronization

/// What the environment says of logging.
enum LogEnvironment {
  /// Read once; nothing here calls anybody, so that it may be read from anywhere.
  private static let settings: (levels: LogLevels, errors: [(name: String, LogSettingError)]) = {
    let (levels, errors) = LogLevels.read(Environment.value("LOG_LEVEL") ?? "")
    var all = errors.map { (name: "LOG_LEVEL", $0) }
    let privacy = Environment.value("LOG_PRIVATE") ?? ""
    if !["", "show", "hide"].contains(privacy) { all.append(("LOG_PRIVATE", .privacy(privacy))) }
    return (levels, all)
  }()

  private static let isChecked = Atomic<Bool>(false)

  static var levels: LogLevels { settings.levels }

  /// Reports what is wrong, once: not while a log is made, since no initializer reads a context.
  @inline(__always)
  static func check() {
    if !isChecked.load(ordering: .relaxed) { report() }
  }

  @inline(never)
  private static func report() {
    guard !isChecked.exchange(true, ordering: .relaxed) else { return }
    for (name, error) in settings.errors {
      Diagnostics.report(
        Diagnostic(.invalidSetting, source: name, "\(error). The rest of the setting holds."))
    }
  }
}
