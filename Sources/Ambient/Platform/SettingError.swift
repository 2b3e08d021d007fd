// SPDX-License-Identifier: Apache-2.0

/// A setting with a value that it cannot have.
public struct SettingError: DescribedError, Hashable {
  /// The kind of the setting.
  @nonexhaustive
  public enum Code: Sendable, Hashable {
    /// The text is not the name of a level.
    case level
    /// The text before `=` is not the name of a module, as in `=debug`.
    case module
    /// The text is not the name of a log's format.
    case format
    /// The share of the events that a sample has is not a number from 0 to 1.
    case share
    /// The factor of a scaled time is not a finite number above zero.
    case factor
  }

  /// The kind of the setting.
  public let code: Code
  /// The value, as text; for ``Code/module``, with the level, such as `=debug`.
  public let text: String
  private let fault: String

  /// - Parameter fault: The fault of the value, and the possible values.
  init(_ code: Code, _ text: String, _ fault: String) {
    self.code = code
    self.text = text
    self.fault = fault
  }

  /// The value, and the possible values.
  public var description: String { "“\(text)” \(fault)" }
}
