// SPDX-License-Identifier: Apache-2.0

/// The options that were given to a command, and their values.
struct Arguments: Sendable, Hashable {
  private var given: [String: [String]] = [:]

  /// The last value that was given for the option, or nil if it was not given.
  subscript(option: Option) -> String? { given[option.name]?.last }

  /// Returns all values of a repeatable option, in the order in which they were given.
  func all(_ option: Option) -> [String] { given[option.name] ?? [] }

  /// Whether the option was given.
  func has(_ option: Option) -> Bool { given[option.name] != nil }

  mutating func add(_ value: String, to option: Option) {
    given[option.name, default: []].append(value)
  }
}
