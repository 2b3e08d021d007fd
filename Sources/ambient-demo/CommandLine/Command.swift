// SPDX-License-Identifier: Apache-2.0

/// A command of the program. `Program` has a table of commands, which the parser and the help read.
struct Command: Sendable {
  /// One word, or several, such as `log recover`.
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// The paragraphs that follow the first line in the command's own help.
  let details: String
  /// Example lines, without the program's name.
  var examples: [String] = []
  /// The operand that follows the command's name. The help shows the operand's name, such as
  /// `PATH`, in place of its value.
  var operand: Option?
  var options: [Option] = []
  /// Parses the options' values. The closure must not use an ambient context, because the contexts
  /// are not set yet.
  let prepare: @Sendable (Arguments) throws -> Run

  /// The words of the command's name.
  var words: [String] { name.split(separator: " ").map(String.init) }

  /// The operand, if it is required, and the required options.
  var required: [Option] { ([operand].compactMap(\.self) + options).filter(\.isRequired) }

  /// The shortest valid use of the command, such as `refund ORDER --store DIR`.
  var usage: String { ([name] + required.map(\.usage)).joined(separator: " ") }

  /// A command with its parsed arguments, ready to run.
  struct Run: Sendable {
    /// The services of the whole run.
    var services = Services()
    /// Runs the command, and writes its results to the output.
    let body: @Sendable (Output) async throws -> Void
  }
}
