import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `The completions` {
  /// What bash offers for the last of the words, as its own completion asks.
  private func offered(_ words: [String]) async throws -> [Substring] {
    let script = try await Demo()(line: "completions bash").output
    let line = (["ambient-demo"] + words).map { "'\($0)'" }.joined(separator: " ")
    let call = """
      COMP_WORDS=(\(line)); COMP_CWORD=\(words.count); _ambient_demo 2> /dev/null
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let bash = try await TestSupport.Command.run("bash", "-c", script + call)
    return bash.output.split(separator: "\n")
  }

  @Test func `of bash begin with the commands`() async throws {
    let names = AmbientDemo.program.commands.map { $0.words[0] }
    #expect(try await offered([""]).map(String.init).starts(with: names))
    #expect(try await offered(["ch"]) == ["checkout"])
    #expect(try await offered(["log", ""]) == ["recover"])
  }

  @Test func `of bash know a command's options and their values`() async throws {
    #expect(try await offered(["checkout", "--wi"]) == ["--wiring"])
    #expect(
      try await offered(["checkout", "--item", "mug", "--wiring", ""])
        == ["initializer", "property", "factory", "locator"])
    #expect(try await offered(["products", "--wi"]).isEmpty)
    #expect(try await offered(["wiring", "fac"]) == ["factory"])
    #expect(try await offered(["log", "recover", "--b"]) == ["--buffer-folder"])
  }

  @Test(arguments: Completions.Shell.allCases)
  func `have each command and option`(shell: Completions.Shell) async throws {
    let script = try await Demo()(line: "completions \(shell.rawValue)").output
    for command in AmbientDemo.program.commands {
      for word in command.words { #expect(script.contains(word)) }
      for option in command.options { #expect(script.contains(option.name.dropFirst(2))) }
    }
  }
}
