internal import Ambient

extension Command {
  private static let shell = Option(
    "SHELL", .word(Completions.Shell.allCases.map(\.rawValue)),
    help: "The shell that completes the words of this program: bash, zsh or fish.")

  static let completions: Command = Command(
    name: "completions",
    summary: "Write the completions for a shell.",
    details: """
      Add them to the file that the shell reads at its start, or keep them where it looks for such. \
      What is completed \
      follows from the same table as the help.
      """,
    examples: [
      "completions bash >> ~/.bashrc", "completions zsh >> ~/.zshrc", "completions fish | source",
    ],
    operand: shell.required,
    options: [],
    prepare: { arguments in
      let shell = arguments[shell].flatMap(Completions.Shell.init) ?? .bash
      let services = Services(time: DefaultTime(), log: NoLog(), analytics: NoAnalytics())
      return Run(services: services) { output in
        try output.write(Completions(program: AmbientDemo.program).script(for: shell))
      }
    })
}
