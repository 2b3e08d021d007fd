import Testing

@testable import ambient_demo

@Suite struct `Wrong words on the command line` {
  @Test(arguments: [
    (["sel"], "there is no command “sel”; did you mean “sell”?"),
    (["help", "sel"], "there is no command “sel”; did you mean “sell”?"),
    (["help", "--version"], "there is no command “--version”; valid are tell, sell"),
    (["help", "sell", "mug"], "help does not know what to do with “mug”; options start with --"),
    (
      ["refrigerate"],
      "there is no command “refrigerate”; valid are tell, sell, help, --help, --version"
    ),
    ([""], "there is no command “”; valid are tell, sell, help, --help, --version"),
    (["--itno", "a"], "tell has no option “--itno”; did you mean “--into”?"),
    (["--INTO=a"], "tell has no option “--INTO”; did you mean “--into”?"),
    (["sell", "--itme", "a"], "sell has no option “--itme”; did you mean “--item”?"),
    (["sell", "mug"], "sell does not know what to do with “mug”; options start with --"),
    (["--into"], "--into needs a value: --into DIR"),
    (["--into="], "--into needs a value: --into DIR"),
    (["--into=", "a"], "--into needs a value: --into DIR"),
    (["--into", ""], "--into needs a value: --into DIR"),
    (["--into", "--log", "none"], "--into needs a value: --into DIR"),
    (["--log", "nome"], "--log cannot be “nome”; did you mean “none”?"),
    (["--log", "file:"], "--log cannot be “file:”; did you mean “file:PATH”?"),
    (["--log", "xyzzy"], "--log cannot be “xyzzy”; valid are none, file:PATH"),
    (["--into", "a", "--into=b"], "--into may be given once only"),
    (["sell", "--item", "a", "--quiet", "--quiet"], "--quiet may be given once only"),
    (["sell", "--item", "a", "--quiet=yes"], "--quiet takes no value, but was given “yes”"),
    (["--version=2"], "--version takes no value, but was given “2”"),
  ])
  func `are explained, with the nearest right word`(words: [String], text: String) {
    let error = #expect(throws: UsageError.self) { try Program.example.parse(words) }
    #expect(error?.description == text)
  }

  @Test(arguments: [
    ("https://joe:hunter22@a.example/?k=hidden", "https…"),
    ("https:/joe:hidden@a.example", "https…"),
    ("joe:hidden@a.example", "joe…"), ("a.example/?key=hidden", "a.example…"), ("stdot", "stdot"),
  ])
  func `shows no more than the beginning of an address`(word: String, shown: String) {
    for error in [
      UsageError.unknownWord(word, option: "--log", valid: ["none"]),
      .unexpectedWord(word, command: "checkout"), .unknownCommand(word, valid: ["story"]),
      .superfluousValue("--help", word),
    ] {
      #expect("\(error)".contains("“\(shown)”"), "\(error)")
      #expect(!"\(error)".contains("hidden") && !"\(error)".contains("hunter22"))
    }
  }
}
