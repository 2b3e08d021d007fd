internal import Checkout

/// The error of a command line that the program does not understand.
enum UsageError: Error, Hashable, Sendable {
  case unknownCommand(String, valid: [String])
  case commandNotFirst(String)
  case unknownOption(String, command: String, valid: [String])
  case optionOfOthers(String, command: String, others: [String])
  case unknownWord(String, option: String, valid: [String])
  case unexpectedWord(String, command: String)
  case missingOption(String)
  case missingValue(String, placeholder: String)
  case superfluousValue(String, String)
  case repeated(String)
  case invalidValue(String, reason: String)
}

extension UsageError: CustomStringConvertible {
  /// The fault. For an unknown word, also the nearest valid word, or all valid words.
  var description: String {
    switch self {
    case .unknownCommand(let word, let valid):
      "there is no command “\(shown(word))”; \(advice(word, valid))"
    case .commandNotFirst(let word):
      "the command comes first: \(word), then its options"
    case .unknownOption(let word, let command, let valid):
      "\(command) has no option “\(shown(word))”; \(advice(word, valid))"
    case .optionOfOthers(let word, let command, let others):
      "\(command) has no option “\(word)”; it is one of \(others.joined(separator: ", "))"
    case .unknownWord(let word, let option, let valid):
      "\(option) cannot be “\(shown(word))”; \(advice(word, valid))"
    case .unexpectedWord(let word, let command):
      "\(command) does not know what to do with “\(shown(word))”; options start with --"
    case .missingOption(let usage):
      "\(usage) is missing"
    case .missingValue(let name, let placeholder):
      "\(name) needs a value: \(name) \(placeholder)"
    case .superfluousValue(let name, let value):
      "\(name) takes no value, but was given “\(shown(value))”"
    case .repeated(let name):
      "\(name) may be given once only"
    case .invalidValue(let name, let reason):
      "\(name): \(reason)"
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

  /// Returns the word. If the word looks like an address, returns only its beginning, since the
  /// rest may contain a secret.
  private func shown(_ word: String) -> String {
    guard word.contains("://") || word.contains("@") || word.contains("?") else { return word }
    return "\(word.prefix { !":/@?".contains($0) })…"
  }

  /// Returns advice with the most similar valid word, or with all valid words if none is similar.
  /// Leading dashes and the text after a colon do not count.
  private func advice(_ word: String, _ valid: [String]) -> String {
    func essence(_ word: String) -> String {
      String(word.drop { $0 == "-" }.prefix { $0 != ":" })
    }
    if let nearest = NearestWord.find(for: essence(word), in: valid.map(essence)),
      let index = valid.firstIndex(where: { essence($0) == nearest })
    {
      return "did you mean “\(valid[index])”?"
    }
    return "valid are \(valid.joined(separator: ", "))"
  }
}
