import Foundation
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

  private static func isInstalled(_ shell: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
  }

  /// What the script offers zsh, whose own functions print it here, for the last of the words.
  private func offeredByZsh(_ words: [String]) async throws -> [Substring] {
    let script = try await Demo()(line: "completions zsh").output
    let line = (["ambient-demo"] + words).map { "'\($0)'" }.joined(separator: " ")
    let call = """
      compdef() { }
      _describe() { print -rl -- "${(@P)2}" }
      _files() { print -r -- "files $*" }
      compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@" }
      \(script)
      words=(\(line)); CURRENT=\(words.count + 1); _ambient_demo
      """
    let zsh = try await TestSupport.Command.run("zsh", "-f", "-c", call)
    return zsh.output.split(separator: "\n")
  }

  @Test(.enabled(if: isInstalled("zsh"), "zsh is not installed"))
  func `of zsh know commands, options and values, with what each does`() async throws {
    let words = try await offeredByZsh([""])
    let commands = AmbientDemo.program.commands
    #expect(words.first.map(String.init) == "\(commands[0].words[0]):\(commands[0].summary)")
    #expect(words.contains { $0.hasPrefix("--version:") })
    #expect(try await offeredByZsh(["log", ""]) == ["recover"])
    #expect(
      try await offeredByZsh(["checkout", "--wiring", ""])
        == ["initializer", "property", "factory", "locator"])
    #expect(try await offeredByZsh(["checkout", "--shop", ""]) == ["files "])
    #expect(
      try await offeredByZsh(["log", "recover", "--b"]).contains {
        $0.hasPrefix("--buffer-folder:")
      })
  }

  /// What fish offers for the last of the words, each behind a tab with its meaning.
  private func offeredByFish(_ line: String) async throws -> [Substring] {
    let script = try await Demo()(line: "completions fish").output
    // fish creates folders in `$HOME` even with `--no-config`, unless these variables name others.
    let home = TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    let fish = try await TestSupport.Command.run(
      "env", "-u", "XDG_CONFIG_HOME", "-u", "XDG_DATA_HOME", "-u", "XDG_CACHE_HOME",
      "HOME=\(home.path)", "fish", "--no-config", "-c",
      "\(script)\ncomplete -C 'ambient-demo \(line)'")
    return fish.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
  }

  @Test(.enabled(if: isInstalled("fish"), "fish is not installed"))
  func `of fish know commands, options and values`() async throws {
    let words = try await offeredByFish("").map(String.init)
    #expect(AmbientDemo.program.commands.allSatisfy { words.contains($0.words[0]) })
    #expect(try await offeredByFish("ch") == ["checkout"])
    #expect(try await offeredByFish("log ") == ["recover"])
    #expect(
      try await Set(offeredByFish("checkout --wiring "))
        == ["initializer", "property", "factory", "locator"])
    #expect(try await offeredByFish("products --wi").isEmpty)
    #expect(try await offeredByFish("log recover --b") == ["--buffer-folder"])
  }

  @Test(arguments: Completions.Shell.allCases)
  func `have each command and option`(shell: Completions.Shell) async throws {
    let script = try await Demo()(line: "completions \(shell.rawValue)").output
    for command in AmbientDemo.program.commands {
      for word in command.words { #expect(script.contains(word)) }
      for option in command.options { #expect(script.contains(option.name.dropFirst(2))) }
      // What is completed only after the words of the command.
      let branch = "\"\(command.name) " + (shell == .fish ? "*\"" : "\"*)\n")
      #expect(script.contains(branch), "\(branch)")
    }
  }
}
