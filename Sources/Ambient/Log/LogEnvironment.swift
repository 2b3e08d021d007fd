// SPDX-License-Identifier: Apache-2.0

/// The environment variables that configure the log.
enum LogEnvironment {
  /// The values of the variables, which are read once. The first read may happen anywhere, even
  /// while a context creates its default log. The closure reads no context and calls no user code,
  /// so it cannot read `settings` again while it runs, which would be a deadlock.
  private static let settings: (levels: LogLevels, faults: [(name: String, text: String)]) = {
    let (levels, errors) = LogLevels.read(Environment.value("LOG_LEVEL") ?? "")
    var faults = errors.map { (name: "LOG_LEVEL", text: "\($0). The levels in use are \(levels).") }
    let privacy = Environment.value("LOG_PRIVATE") ?? ""
    if !["", "show", "hide"].contains(privacy) {
      let fault = "is no setting of privacy: choose show, or hide. Values are hidden."
      faults.append(("LOG_PRIVATE", "“\(privacy)” \(fault)"))
    }
    return (levels, faults)
  }()

  static var levels: LogLevels { settings.levels }

  /// Reports malformed variables. Called when the first record is logged, not when the variables
  /// are read: a report reads a context, and the closure of `settings` must not read one.
  static func report() {
    for (name, text) in settings.faults {
      Diagnostics.report(.invalidSetting, source: name, text)
    }
  }
}
