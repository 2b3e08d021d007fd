/// The options that were given to a command, and their values.
struct Arguments: Sendable, Hashable {
  private var given: [String: [String]] = [:]

  /// The value of the option, if it was given.
  subscript(option: Option) -> String? { given[option.name]?.last }

  /// Every value of a repeatable option, in the order in which they were given.
  func all(_ option: Option) -> [String] { given[option.name] ?? [] }

  /// Whether the option was given.
  func has(_ option: Option) -> Bool { given[option.name] != nil }

  mutating func add(_ value: String, to option: Option) {
    given[option.name, default: []].append(value)
  }
}
