/// The table of everything that can be said on the command line.
struct Program: Sendable {
  let name: String
  let version: String
  let summary: String
  /// The commands; the first is what the program does when none is named.
  let commands: [Command]
  let options: [Option] = [.help, .version]

  /// What the words after the program's name ask for.
  enum Request: Sendable {
    case help(Command?)
    case version
    case run(Command, Arguments)
  }

  /// Understands the words after the program's name.
  func parse(_ words: [String]) throws(UsageError) -> Request {
    guard let first = words.first, !first.hasPrefix("-") else {
      do {
        return try parse(words[...], for: nil)
      } catch {
        guard let late = words.first(where: { word in commands.contains { $0.name == word } })
        else { throw error }
        throw .commandNotFirst(late)
      }
    }
    if first == Self.help { return try parseHelp(words.dropFirst()) }
    let valid = commands.map(\.name) + [Self.help] + options.map(\.name)
    return try parse(words.dropFirst(), for: command(first, of: valid))
  }

  private static let help = "help"

  private func command(_ name: String, of valid: [String]) throws(UsageError) -> Command {
    guard let command = commands.first(where: { $0.name == name }) else {
      throw .unknownCommand(name, valid: valid)
    }
    return command
  }

  /// `help`, `help COMMAND`, or either with what asks for help again.
  private func parseHelp(_ words: ArraySlice<String>) throws(UsageError) -> Request {
    let named = words.filter { ![Self.help, Option.help.name, Option.help.short].contains($0) }
    if named.count > 1 { throw .unexpectedWord(named[1], command: Self.help) }
    let valid = commands.map(\.name)
    return .help(try named.first.map { name throws(UsageError) in try command(name, of: valid) })
  }

  private func parse(_ words: ArraySlice<String>, for named: Command?) throws(UsageError) -> Request
  {
    let command = named ?? commands[0]
    let valid = command.options + options
    var arguments = Arguments()
    var rest = words
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else { throw .unexpectedWord(word, command: command.name) }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = valid.first(where: { $0.name == name || $0.short == name }) else {
        throw unknown(name, of: command)
      }
      if arguments.has(option) && !option.isRepeatable { throw .repeated(option.name) }
      let attached = parts.count == 2 ? String(parts[1]) : nil
      let value = try value(of: option, attached: attached, following: &rest)
      if option == .help { return .help(named) }
      if option == .version { return .version }
      arguments.add(value, to: option)
    }
    return .run(command, arguments)
  }

  private func unknown(_ name: String, of command: Command) -> UsageError {
    let others = commands.filter { $0.options.contains { $0.name == name } }.map(\.name)
    return others.isEmpty
      ? .unknownOption(
        name, command: command.name, valid: (command.options + options).map(\.name))
      : .optionOfOthers(name, command: command.name, others: others)
  }

  private func value(
    of option: Option, attached: String?, following rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let placeholder = option.placeholder else {
      if let attached { throw .superfluousValue(option.name, attached) }
      return ""
    }
    // A following option is no value: it was forgotten. `--store=--odd` says that it is meant.
    let value = attached ?? (rest.first?.hasPrefix("--") == true ? nil : rest.popFirst())
    guard let value, !value.isEmpty else {
      throw .missingValue(option.name, placeholder: placeholder)
    }
    guard option.accepts(value) else {
      throw .unknownWord(value, option: option.name, valid: option.words ?? [])
    }
    return value
  }
}
