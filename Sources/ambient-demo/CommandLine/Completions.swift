/// The completions for a shell, generated from the table of commands.
struct Completions: Sendable {
  /// A shell that completes words.
  enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  let program: Program

  /// The script to evaluate, or to store where the shell looks for completions.
  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The possible values of an option or an operand.
  private enum Value {
    case words([String])
    case files
    case folders
    case text

    init(_ option: Option) {
      switch option.placeholder {
      // For a word such as `file:PATH`, the shell completes only the part up to the colon, because
      // any text may stand for `PATH`.
      case _ where option.words != nil:
        self = .words(
          (option.words ?? []).map {
            String($0.prefix { $0 != ":" }) + ($0.contains(":") ? ":" : "")
          })
      case "DIR": self = .folders
      case "FILE", "PATH": self = .files
      case nil where option.name == "DIR": self = .folders
      case nil where option.name == "PATH": self = .files
      default: self = .text
      }
    }
  }

  private var function: String { "_" + program.name.replacing("-", with: "_") }

  /// The possible first words, each once, with their meaning from the help.
  private var firstWords: [(word: String, meaning: String)] {
    var found: [(word: String, meaning: String)] = []
    for command in program.commands where !found.contains(where: { $0.word == command.words[0] }) {
      found.append((command.words[0], command.summary))
    }
    return found + [("help", "Show this help, or that of a command.")]
  }

  /// The first two words of each command of several words.
  private var groups: [(first: String, second: String, meaning: String)] {
    program.commands.filter { $0.words.count > 1 }
      .map { ($0.words[0], $0.words[1], $0.summary) }
  }

  private func options(of command: Command) -> [Option] { command.options + program.options }

  // MARK: bash

  private var bash: String {
    var lines = [
      "# Completions of \(program.name) for bash: eval \"$(\(program.name) completions bash)\"",
      "\(function)() {",
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
      "  local line=\"${COMP_WORDS[*]:1:COMP_CWORD-1} \"",
      "  COMPREPLY=()",
      "  case \"$line\" in",
    ]
    for command in program.commands {
      lines += ["    \"\(command.name) \"*)", "      case \"$before\" in"]
      for option in options(of: command) where option.value != .none {
        lines.append("        \(option.name)) \(bash(Value(option))); return ;;")
      }
      let names = options(of: command).map(\.name).joined(separator: " ")
      lines += ["      esac", "      COMPREPLY=($(compgen -W '\(names)' -- \"$word\"))"]
      if let operand = command.operand {
        lines.append("      [[ $word == -* ]] || { \(bash(Value(operand))); }")
      }
      lines.append("      return ;;")
    }
    for group in groups {
      lines.append(
        "    \"\(group.first) \") COMPREPLY=($(compgen -W '\(group.second)' -- \"$word\")); return ;;"
      )
    }
    let words = firstWords.map(\.word).joined(separator: " ")
    let names = program.options.map(\.name).joined(separator: " ")
    lines += [
      "    \"help \") COMPREPLY=($(compgen -W '\(words)' -- \"$word\")); return ;;",
      "    \" \") COMPREPLY=($(compgen -W '\(words) \(names)' -- \"$word\")); return ;;",
      "  esac",
      "}",
      "complete -F \(function) \(program.name)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func bash(_ value: Value) -> String {
    switch value {
    case .words(let words):
      "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))"
        // bash must add no space after a word that ends with a colon, such as `file:`, because the
        // rest of the value follows the colon.
        + (words.contains { $0.hasSuffix(":") }
          ? "; [[ ${COMPREPLY[0]} != *: ]] || compopt -o nospace" : "")
    case .files: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
    case .folders: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
    case .text: ":"
    }
  }

  // MARK: zsh

  private var zsh: String {
    var lines = [
      "#compdef \(program.name)",
      "# Completions of \(program.name) for zsh: eval \"$(\(program.name) completions zsh)\"",
      "\(function)() {",
      "  local line=\"${(j: :)words[2,CURRENT-1]} \" before=${words[CURRENT-1]}",
      "  local -a found",
      "  case \"$line\" in",
    ]
    for command in program.commands {
      lines += ["    \"\(command.name) \"*)", "      case \"$before\" in"]
      for option in options(of: command) where option.value != .none {
        lines.append("        \(option.name)) \(zsh(Value(option))); return ;;")
      }
      lines += ["      esac", "      found=("]
      lines += options(of: command).map { "        " + zsh($0.name, $0.brief) }
      lines += ["      )", "      _describe option found"]
      if let operand = command.operand { lines.append("      \(zsh(Value(operand)))") }
      lines.append("      return ;;")
    }
    for group in groups {
      lines.append("    \"\(group.first) \") compadd -- \(group.second); return ;;")
    }
    lines += ["    \" \" | \"help \")", "      found=("]
    lines += firstWords.map { "        " + zsh($0.word, $0.meaning) }
    lines += ["      )", "      _describe command found", "      found=("]
    lines += program.options.map { "        " + zsh($0.name, $0.brief) }
    lines += [
      "      )", "      [[ $line == help* ]] || _describe option found", "      return ;;",
      "  esac", "}",
      "if [[ ${funcstack[1]} == _\(program.name) ]]; then \(function) \"$@\"",
      "else",
      "  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }",
      "  compdef \(function) \(program.name)",
      "fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func zsh(_ word: String, _ meaning: String) -> String {
    let meaning = meaning.replacing("'", with: "'\\''")
    return "'\(word):\(meaning)'"
  }

  private func zsh(_ value: Value) -> String {
    switch value {
    case .words(let words):
      // With `-S ''`, zsh appends no space to a word such as `file:`, after which the user goes on
      // typing.
      [("", words.filter { !$0.hasSuffix(":") }), ("-S '' ", words.filter { $0.hasSuffix(":") })]
        .filter { !$0.1.isEmpty }
        .map { "compadd \($0.0)-- \($0.1.joined(separator: " "))" }.joined(separator: "; ")
    case .files: "_files"
    case .folders: "_files -/"
    case .text: ":"
    }
  }

  // MARK: fish

  private var fish: String {
    var lines = [
      "# Completions of \(program.name) for fish: \(program.name) completions fish | source",
      "function \(fishTest)",
      "  set -l words (commandline -opc)",
      "  set -e words[1]",
      "  string match -q -- $argv[1] \"$words \"",
      "end",
      "complete -c \(program.name) -f",
    ]
    for line in [" ", "help "] {
      lines += firstWords.map { fish(line, "-a \($0.word)", $0.meaning) }
    }
    lines += program.options.map { fish(" ", "-l \($0.name.dropFirst(2))", $0.brief) }
    for group in groups {
      lines.append(fish("\(group.first) ", "-a \(group.second)", group.meaning))
    }
    for command in program.commands {
      let line = "\(command.name) *"
      for option in options(of: command) {
        let value = option.value == .none ? "" : " -x\(fish(Value(option)))"
        lines.append(fish(line, "-l \(option.name.dropFirst(2))\(value)", option.brief))
      }
      if let operand = command.operand {
        let value = fish(Value(operand))
        if !value.isEmpty {
          lines.append(fish(line, String(value.dropFirst()), operand.brief))
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The name of the function that tests whether the words before the last word match a pattern.
  private var fishTest: String { "_\(function)_follows" }

  private func fish(_ line: String, _ what: String, _ meaning: String) -> String {
    let meaning = meaning.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return "complete -c \(program.name) -n '\(fishTest) \"\(line)\"' \(what) -d '\(meaning)'"
  }

  private func fish(_ value: Value) -> String {
    switch value {
    case .words(let words): " -a '\(words.joined(separator: " "))'"
    case .files: " -a '(__fish_complete_path)'"
    case .folders: " -a '(__fish_complete_directories)'"
    case .text: ""
    }
  }
}
