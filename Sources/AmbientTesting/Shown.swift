// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The parts of an expectation as texts for error messages, escaped and cut.
enum Shown {
  /// The name, in quotation marks if it could be misread without them.
  static func name(_ name: String) -> String { value(.string(name)) }

  static func value(_ value: AmbientValue?) -> String { cut(value?.description ?? "none") }

  static func text(_ text: String) -> String { cut(text.escaped) }

  /// The text, cut after 500 characters.
  static func cut(_ text: String) -> String { text.shortened(to: 500) }

  /// The parts that are not nil, separated by two spaces.
  static func line(_ parts: String?...) -> String {
    parts.compactMap(\.self).joined(separator: "  ")
  }
}
