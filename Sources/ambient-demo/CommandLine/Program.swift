// SPDX-License-Identifier: Apache-2.0

/// The table of all commands and options.
struct Program: Sendable {
  let name: String
  let version: String
  let summary: String
  /// The commands; the first one runs when the command line names none.
  let commands: [Command]
  let options: [Option] = [.help, .version]

  /// The action that a command line asks for.
  enum Request: Sendable {
    case help(Command?, isWhole: Bool)
    case version
    case run(Command, Arguments)
  }

  /// Parses the words after the program's name.
  func parse(_ words: [String]) throws(UsageError) -> Request {
    guard let first = words.first, !first.hasPrefixOfOption else {
      do {
        return try parse(words[...], for: nil)
      } catch {
        let late = words.indices.lazy.compactMap { self.command(named: words[$0...]) }.first
        guard let late else { throw error }
        throw .commandNotFirst(late.name)
      }
    }
    if first == Self.help { return try parseHelp(words.dropFirst()) }
    let valid = commands.map(\.name) + [Self.help] + options.map(\.name)
    let command = try required(words[...], of: valid)
    return try parse(words.dropFirst(command.words.count), for: command)
  }

  private static let help = "help"

  /// The command whose name is the beginning of the words.
  func command(named words: ArraySlice<String>) -> Command? {
    commands.first { words.starts(with: $0.words) }
  }

  private func required(
    _ words: ArraySlice<String>, of valid: [String]
  ) throws(UsageError) -> Command {
    if let command = command(named: words) { return command }
    throw .unknownCommand(words.first ?? "", valid: valid)
  }

  /// Parses the words after `help`. Words that ask for help, such as `--help`, are ignored here.
  private func parseHelp(_ words: ArraySlice<String>) throws(UsageError) -> Request {
    let isWhole = words.contains(Option.all.name)
    let asking = [Self.help, Option.help.name, Option.help.short, Option.all.name]
    let named = words.filter { !asking.contains($0) }
    if named.isEmpty { return .help(nil, isWhole: isWhole) }
    let command = try required(named[...], of: commands.map(\.name))
    if let superfluous = named.dropFirst(command.words.count).first {
      throw .unexpectedWord(superfluous, command: Self.help)
    }
    return .help(command, isWhole: isWhole)
  }

  private func parse(_ words: ArraySlice<String>, for named: Command?) throws(UsageError) -> Request
  {
    let command = named ?? commands[0]
    let valid = command.options + options
    var arguments = Arguments()
    var rest = words
    while let word = rest.popFirst() {
      guard word.hasPrefixOfOption else {
        guard let operand = command.operand, !arguments.has(operand), !word.isEmpty else {
          throw .unexpectedWord(word, command: command.name)
        }
        guard operand.accepts(word) else {
          throw .unknownWord(word, option: operand.name, valid: operand.words ?? [])
        }
        arguments.add(word, to: operand)
        continue
      }
      let parts = word.parts(at: "=")
      let name = parts[0]
      guard let option = valid.first(where: { $0.name == name || $0.short == name }) else {
        throw unknown(name, of: command)
      }
      if arguments.has(option) && !option.isRepeatable { throw .repeated(option.name) }
      let attached = parts.count == 2 ? parts[1] : nil
      let value = try value(of: option, attached: attached, following: &rest)
      if option == .help { return .help(named, isWhole: words.contains(Option.all.name)) }
      if option == .version { return .version }
      arguments.add(value, to: option)
    }
    if let missing = command.required.first(where: { !arguments.has($0) }) {
      throw .missing(missing.usage, usage: "\(name) \(command.usage)")
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
    // A following word that starts with `--` is not used as the value: it is probably the next
    // option, and the user forgot the value. A value that starts with `--` can be passed as in
    // `--store=--odd`. A word with another dash is used, since it may be a name.
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
