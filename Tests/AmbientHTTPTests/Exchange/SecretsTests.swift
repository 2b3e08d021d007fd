import AmbientHTTP
import Foundation
import Testing

@Suite struct `Secrets of an address and a key` {
  @Test func `are hidden to their ends, even where those look like half an escape`() {
    let secrets = Secrets(["p%41ssword&code"])
    for form in ["p%41ssword&code", "pAssword&code"] {
      #expect(secrets.hidden(in: "the key \(form) is wrong") == "the key … is wrong")
    }
  }

  @Test(arguments: [
    (#"xxabcd"z"#, #"\uD83Dxxabcd\"z"#), (#"65;abcd"z"#, ##"&#+65;abcd\"z"##),
    (#"0;abcd"z"#, ##"&#-0;abcd\"z"##),
  ])
  func `are hidden beside what only looks like an escape`(_ secret: String, _ form: String) {
    let text = Secrets([secret]).hidden(in: "the key \(form) is wrong")
    #expect(text.hasPrefix("the key ") && text.hasSuffix("… is wrong"), "\(text)")
  }

  @Test(arguments: [
    ("pass😀word", #"pass\uD83D\uDE00word"#, "…"), ("pass😀word", #"pass\ud83d\ude00word"#, "…"),
    ("😀pass", #"\uD83D\uDE00pass"#, "…"), ("pass😀", #"pass\uD83D\uDE00"#, "…"),
    ("Abcde", #"\uD83D\u0041bcde"#, #"\uD83D…"#), ("abcde", #"\uD83Dabcde"#, #"\uD83D…"#),
  ])
  func `are hidden where a character is two escapes, and beside half of one`(
    _ secret: String, _ form: String, _ shown: String
  ) {
    let text = Secrets([secret]).hidden(in: "the key \(form) is wrong")
    #expect(text == "the key \(shown) is wrong")
  }

  @Test(arguments: [
    (#"pass\uD83D"#, "…"), (#"pass\uD83D\"#, "…"), (#"pass\uD83D\u"#, "…"),
    (#"pass\uD83D\uDE0"#, "…"), (#"pass\uD83D\uDE00"#, "…"), (#"pass\u0041"#, #"pass\u0041"#),
    (#"pass\uD83D&"#, #"pass\uD83D&"#), (#"pass%F"#, "…"), (#"pass&#x1F6"#, "…"),
    (#"pass%Fx"#, #"pass%Fx"#), (#"pass&#x1F;x"#, #"pass&#x1F;x"#),
  ])
  func `are hidden where the text was cut within an escape`(_ form: String, _ shown: String) {
    #expect(Secrets(["pass😀word"]).hidden(in: "the key \(form)") == "the key \(shown)")
  }

  @Test func `are hidden where the text was cut within a character`() {
    for length in 1...3 {
      let cut = String(decoding: "the key pass😀".utf8.dropLast(length), as: UTF8.self)
      #expect(Secrets(["pass😀word"]).hidden(in: cut) == "the key …")
    }
    for text in ["the key pass\u{FFFD}", "the key pass\u{FFFD} is wrong"] {
      #expect(!Secrets(["pass\u{FFFD}"]).hidden(in: text).contains("pass"), "\(text)")
    }
    #expect(Secrets(["pass"]).hidden(in: "the key pass\u{FFFD}") == "the key …\u{FFFD}")
  }

  @Test func `are the hidden parts of a path, as they are and decoded`() throws {
    let url = try #require(URL(string: "https://events.example/v1/T%30ken%2FA/logs"))
    #expect(url.secretsOfPath == ["T%30ken%2FA", "T0ken/A"])
    #expect(Secrets(url.secretsOfPath).hidden(in: "no T0ken/A here") == "no … here")
  }
}
