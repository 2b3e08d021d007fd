// SPDX-License-Identifier: Apache-2.0

/// One option that a command takes, such as `--item SKU[:QUANTITY]`, or an operand, such as `PATH`.
struct Option: Sendable, Hashable {
  /// The kind of text that follows the option's name.
  enum Value: Sendable, Hashable {
    /// No text: the option is a switch.
    case none
    /// Any text; the help shows the placeholder in its place.
    case text(String)
    /// One of the words. In a word such as `file:PATH`, any text may replace `PATH`. The help shows
    /// the words, or a placeholder if there are too many.
    case word([String], named: String? = nil)
  }

  let name: String
  let value: Value
  /// The value that applies if the option is not given, as the help shows it.
  let standard: String?
  let help: String
  var short: String?
  var isRepeatable = false
  /// Whether the command's brief help leaves out the option.
  private(set) var isDetail = false
  /// Whether the command requires the option.
  private(set) var isRequired = false

  init(
    _ name: String, _ value: Value = .none, short: String? = nil, repeatable: Bool = false,
    default standard: String? = nil, help: String
  ) {
    self.name = name
    self.value = value
    self.standard = standard
    self.short = short
    isRepeatable = repeatable
    self.help = help
  }

  /// A copy of the option that is marked as required.
  var required: Option {
    var option = self
    option.isRequired = true
    return option
  }

  /// A copy of the option that is marked as a detail, which the command's brief help leaves out.
  var detail: Option {
    var option = self
    option.isDetail = true
    return option
  }

  /// The help, with the values that a placeholder represents, and the default.
  var whole: String {
    var text = help
    if case .word(let words, .some) = value { text += " One of \(words.joined(separator: ", "))." }
    return standard.map { "\(text) Default: \($0)." } ?? text
  }

  /// The beginning of the help, up to the first full stop, semicolon or colon.
  var brief: String {
    let ends = [". ", "; ", ": "].compactMap { help.firstRange(of: $0)?.lowerBound }
    guard let end = ends.min() else { return help }
    return help[..<end] + "."
  }

  /// The value's placeholder in the help; nil for a switch.
  var placeholder: String? {
    switch value {
    case .none: nil
    case .text(let placeholder): placeholder
    case .word(let words, let placeholder): placeholder ?? words.joined(separator: "|")
    }
  }

  /// The option and its placeholder, such as `--coupon CODE`.
  var usage: String { [name, placeholder].compactMap(\.self).joined(separator: " ") }

  /// The possible values; nil if any text will do.
  var words: [String]? {
    if case .word(let words, _) = value { words } else { nil }
  }

  /// Whether the text is a valid value.
  func accepts(_ text: String) -> Bool {
    guard let words else { return true }
    return words.contains { word in
      guard let colon = word.firstIndex(of: ":") else { return word == text }
      return text.rest(after: String(word[...colon])) != nil
    }
  }

  /// The option that shows the whole help if it is given together with ``help``.
  static let all = Option("--all", help: "Show all of the help, with --help.")
  static let help = Option("--help", short: "-h", help: "Show this help.")
  static let version = Option("--version", help: "Show the version.")
}
