// SPDX-License-Identifier: Apache-2.0

internal import Checkout

/// The error of a command line that the program does not understand.
enum UsageError: Error, Hashable, Sendable {
  case unknownCommand(String, valid: [String])
  case commandNotFirst(String)
  case unknownOption(String, command: String, valid: [String])
  case optionOfOthers(String, command: String, others: [String])
  case unknownWord(String, option: String, valid: [String])
  case unexpectedWord(String, command: String)
  /// An option or operand that the command requires. `usage` is a command line that has it.
  case missing(String, usage: String)
  case missingValue(String, placeholder: String)
  case superfluousValue(String, String)
  case repeated(String)
  case invalidValue(String, reason: String)
  case notUTF8(argument: Int)

  /// The valid word that is most similar to the unknown word, or the only command of several words
  /// that contains it; nil if there is neither. Leading dashes and the text after a colon do not
  /// count.
  var nearest: String? {
    switch self {
    case .unknownCommand(let word, let valid), .unknownOption(let word, _, let valid),
      .unknownWord(let word, _, let valid):
      let nearest = NearestWord.find(for: Self.essence(word), in: valid.map(Self.essence))
      if let nearest { return valid.first { Self.essence($0) == nearest } }
      let containing = valid.filter { $0.split(separator: " ").contains { $0 == word } }
      return containing.count == 1 ? containing[0] : nil
    default: return nil
    }
  }

  /// The command that the user probably meant, for a command line that does not begin with a
  /// command. Nil if the error suggests no command.
  var likelyCommand: String? {
    switch self {
    case .optionOfOthers(_, _, let others): others.first
    case .commandNotFirst(let command): command
    default: nil
    }
  }

  private static func essence(_ word: String) -> String {
    String(word.drop(while: \.isDash).prefix { $0 != ":" })
  }
}

extension String {
  /// Whether the word begins as an option does, or with a dash that a text program has made of the
  /// hyphens.
  var hasPrefixOfOption: Bool { first?.isDash == true }
}

extension Character {
  /// Whether the character is a hyphen, a minus sign or a dash.
  fileprivate var isDash: Bool {
    self == "\u{2212}" || unicodeScalars.first?.properties.generalCategory == .dashPunctuation
  }
}

extension UsageError: CustomStringConvertible {
  /// The fault, and what to write instead.
  var description: String {
    switch self {
    case .unknownCommand(let word, let valid):
      "unknown command “\(shown(word))”; \(advice(valid))"
    case .commandNotFirst(let word):
      "put the command “\(word)” before its options"
    case .unknownOption(let word, let command, let valid):
      "\(command) has no option “\(shown(word))”; \(advice(valid))"
    case .optionOfOthers(let word, let command, let others):
      "\(command) has no option “\(word)”; use it with \(others.joined(separator: ", "))"
    case .unknownWord(let word, let option, let valid):
      "invalid value “\(shown(word))” for \(option); \(advice(valid))"
    case .unexpectedWord(let word, let command):
      "unexpected argument “\(shown(word))” for \(command); options start with --"
    case .missing(let missing, let usage):
      "missing \(missing); use \(usage)"
    case .missingValue(let name, let placeholder):
      "missing value for \(name); use \(name) \(placeholder)"
    case .superfluousValue(let name, let value):
      "\(name) takes no value; remove “\(shown(value))”"
    case .repeated(let name):
      "\(name) is repeated; pass it once"
    case .invalidValue(let name, let reason):
      "\(name): \(reason)"
    case .notUTF8(let number):
      "argument \(number) is not UTF-8; use another name or text"
    }
  }

  /// Returns the word. If the word looks like an address, returns only its beginning, since the
  /// rest may contain a secret.
  private func shown(_ word: String) -> String {
    guard word.contains("://") || word.contains("@") || word.contains("?") else { return word }
    return "\(word.prefix { !":/@?".contains($0) })…"
  }

  private func advice(_ valid: [String]) -> String {
    if let nearest { return "did you mean “\(nearest)”?" }
    let words = valid.joined(separator: ", ")
    return valid.count == 1 ? "use “\(words)”" : "choose one of \(words)"
  }
}
