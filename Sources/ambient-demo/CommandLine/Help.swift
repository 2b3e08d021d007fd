// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The help of the program, generated from the table of commands.
struct Help: Sendable {
  let program: Program
  let style: Style

  /// The default number of lines of a terminal.
  static let screen = 24

  /// The help of the program, or of one command. A command's help that does not fit on one screen
  /// is shortened, unless `isWhole` is true.
  func text(for command: Command?, isWhole: Bool = false) -> String {
    guard let command else { return overview }
    let whole = whole(of: command)
    let lines = isWhole || whole.count < Self.screen ? whole : brief(of: command)
    return lines.joined(separator: "\n") + "\n"
  }

  private var overview: String {
    var lines = wrapped(program.summary, indent: 0)
    lines += ["", style.bold("Usage:") + " \(program.name) [COMMAND] [OPTION …]"]
    lines += ["", style.bold("Commands:")]
    for (index, command) in program.commands.enumerated() {
      let note = index == 0 ? " The default." : ""
      lines += entry(command.name, command.summary + note)
    }
    lines += entry("help [COMMAND]", "Show this help, or the help of a command.")
    lines += ["", style.bold("Options:")]
    for option in program.options { lines += entry(option) }
    lines += [""]
    lines += wrapped(
      """
      Results go to standard output, logs and errors to standard error. The exit status is 0 for \
      success, 1 for a failure, and 64 for a usage error.
      """, indent: 0)
    return lines.joined(separator: "\n") + "\n"
  }

  /// A command's purpose, examples, and the usual options, each in a few words.
  private func brief(of command: Command) -> [String] {
    var lines = wrapped(command.summary, indent: 0)
    lines += ["", style.bold("Usage:") + " \(program.name) \(command.usage) [OPTION …]"]
    lines += examples(of: command)
    lines += ["", style.bold("Options:")]
    if let operand = command.operand { lines += entry(operand.name, operand.brief) }
    for option in command.options where !option.isDetail {
      lines += entry(option.usage, option.brief)
    }
    let more = command.options.count(where: \.isDetail)
    let rest = more == 0 ? "" : ", with \(more.with("more option"))"
    lines += entry("--help --all", "Show the whole help\(rest).")
    return lines
  }

  private func examples(of command: Command) -> [String] {
    if command.examples.isEmpty { return [] }
    return ["", style.bold("Examples:")] + command.examples.map { "  \(program.name) \($0)" }
  }

  private func whole(of command: Command) -> [String] {
    var lines = wrapped(command.summary, indent: 0)
    let operand = command.operand.map { $0.isRequired ? $0.name : "[\($0.name)]" }
    let start = ["Usage: \(program.name) \(command.name)", operand]
    let usage =
      [start.compactMap(\.self).joined(separator: " ")] + command.options.map(Self.synopsis)
    var usageLines = filled(usage, indent: 0, hanging: 4)
    usageLines[0] = style.bold("Usage:") + usageLines[0].dropFirst("Usage:".count)
    lines += [""] + usageLines
    for paragraph in command.details.split(separator: "\n\n") {
      lines += [""] + wrapped(String(paragraph), indent: 0)
    }
    lines += examples(of: command)
    if let operand = command.operand {
      lines += ["", style.bold("Operand:")] + entry(operand)
    }
    lines += ["", style.bold("Options:")]
    for option in command.options + program.options { lines += entry(option) }
    return lines
  }

  private func entry(_ option: Option) -> [String] {
    let names = [option.name, option.short].compactMap(\.self).joined(separator: ", ")
    let placeholder = option.placeholder.flatMap { $0 == option.name ? nil : " " + $0 } ?? ""
    return entry(names + placeholder, option.whole)
  }

  /// Formats a term and its meaning as lines. The meaning begins beside the term, or below a long
  /// term.
  private func entry(_ term: String, _ meaning: String) -> [String] {
    let column = 22
    var lines = wrapped(meaning, indent: column)
    if term.count <= column - 4 {
      lines[0] = "  " + term + lines[0].dropFirst(term.count + 2)
    } else {
      lines.insert("  " + term, at: 0)
    }
    return lines
  }

  /// The option as the usage line shows it, such as `[--coupon CODE]`.
  private static func synopsis(_ option: Option) -> String {
    let usage = option.isRequired ? option.usage : "[\(option.usage)]"
    return option.isRepeatable ? usage + " …" : usage
  }

  private func wrapped(_ text: String, indent: Int) -> [String] {
    let space = String(repeating: " ", count: indent)
    return text.wrapped(to: style.textWidth - indent).map { space + $0 }
  }

  /// Joins the pieces into lines that are as full as the width allows. No piece is broken.
  private func filled(_ pieces: [String], indent: Int, hanging: Int) -> [String] {
    var lines: [String] = []
    for piece in pieces {
      if let last = lines.last, last.count + 1 + piece.count <= style.textWidth {
        lines[lines.count - 1] += " " + piece
      } else {
        lines.append(String(repeating: " ", count: lines.isEmpty ? indent : hanging) + piece)
      }
    }
    return lines
  }
}
