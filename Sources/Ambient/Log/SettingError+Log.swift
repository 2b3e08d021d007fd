// SPDX-License-Identifier: Apache-2.0

extension SettingError {
  static func level(_ text: String) -> SettingError {
    let levels = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
    return SettingError(.level, text, "is no level: choose \(levels) or off")
  }

  static func module(_ text: String) -> SettingError {
    SettingError(.module, text, "names no module: write Module=level, as Checkout=debug")
  }

  static func format(_ text: String) -> SettingError {
    let layouts = LogFormat.Layout.allCases.map(\.rawValue).joined(separator: ", ")
    return SettingError(.format, text, "is no log format: choose \(layouts)")
  }
}
