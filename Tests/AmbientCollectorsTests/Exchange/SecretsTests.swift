// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import Testing

@Suite struct `Redaction of secrets` {
  @Test func `Secrets hides a secret that contains a percent escape, both raw and unescaped`() {
    let secrets = Secrets(["p%41ssword&code"])
    for form in ["p%41ssword&code", "pAssword&code"] {
      #expect(secrets.hidden(in: "the key \(form) is wrong") == "the key … is wrong")
    }
  }

  @Test(arguments: [
    (#"xxabcd"z"#, #"\uD83Dxxabcd\"z"#), (#"65;abcd"z"#, ##"&#+65;abcd\"z"##),
    (#"0;abcd"z"#, ##"&#-0;abcd\"z"##),
  ])
  func `Secrets hides a secret that adjoins or overlaps an invalid escape`(
    _ secret: String, _ form: String
  ) {
    let text = Secrets([secret]).hidden(in: "the key \(form) is wrong")
    #expect(text.hasPrefix("the key ") && text.hasSuffix("… is wrong"), "\(text)")
  }

  @Test(arguments: [
    ("pass😀word", #"pass\uD83D\uDE00word"#, "…"), ("pass😀word", #"pass\ud83d\ude00word"#, "…"),
    ("😀pass", #"\uD83D\uDE00pass"#, "…"), ("pass😀", #"pass\uD83D\uDE00"#, "…"),
    ("Abcde", #"\uD83D\u0041bcde"#, #"\uD83D…"#), ("abcde", #"\uD83Dabcde"#, #"\uD83D…"#),
  ])
  func `Secrets hides a secret that contains a surrogate pair or follows half of a pair`(
    _ secret: String, _ form: String, _ shown: String
  ) {
    let text = Secrets([secret]).hidden(in: "the key \(form) is wrong")
    #expect(text == "the key \(shown) is wrong")
  }

  @Test(arguments: [
    // The beginning, the middle, the end; next to each other, over each other, one after another.
    ("abcd is wrong", "… is wrong"), ("the abcd is wrong", "the … is wrong"),
    ("the key abcd", "the key …"), ("abcd", "…"), ("abcdefgh.", "……."), ("abcdabcd", "……"),
    ("abcd efgh", "… …"), ("the abcefgh", "the abc…"), ("xabcdx", "x…x"),
    // A long secret from 16 of its bytes on, and at the end from four on.
    ("to 0123456789ABCDEF.", "to …."), ("to 0123456789ABCDE.", "to 0123456789ABCDE."),
    ("to 0123456789ABCDEFGHIJ.", "to …."), ("to 0123456789ABCDEFGHI", "to …"),
    ("to 0123", "to …"), ("to 012", "to 012"), ("to 0123.", "to 0123."), ("to abc", "to abc"),
    // Up to three times escaped.
    ("%61bcd.", "…."), ("%2561bcd.", "…."), ("%252561bcd.", "…."),
    ("%25252561bcd.", "%25252561bcd."),
    ("abcd%2", "…%2"), ("x abcd%61bcd.", "x ……."),
    ("", ""), ("nothing of it", "nothing of it"),
  ])
  func `Secrets hides a secret anywhere in a text, even if it is escaped up to three times`(
    _ text: String, _ shown: String
  ) {
    #expect(Secrets(["abcd", "efgh", "0123456789ABCDEFGHIJ"]).hidden(in: text) == shown)
  }

  @Test func `Secrets hides a secret only if the secret has at least four characters`() {
    #expect(Secrets(["abc", "ébc"]).hidden(in: "an abc, and ébc.") == "an abc, and ébc.")
    #expect(Secrets(["a%41b"]).hidden(in: "an aAb, and a%41b.") == "an aAb, and ….")
    #expect(Secrets(["a%41bc"]).hidden(in: "an aAbc.") == "an ….")
  }

  @Test(arguments: [
    ("user alice, Alice, alicea and malice", "user …, Alice, alicea and malice"),
    ("alice", "…"), ("bob is gone", "… is gone"), ("(alice)", "(…)"), ("alice bob", "… …"),
    // At the end, where a word may have been cut.
    ("user alic", "user …"), ("user ali", "user …"), ("user al", "user al"), ("ali.", "ali."),
    ("%61lice!", "…!"), ("user al%69ce", "user …"), ("«alice»", "«…»"),
  ])
  func `Secrets hides a secret word, but not a longer word that contains the secret word`(
    _ text: String, _ shown: String
  ) {
    let secrets = Secrets(words: [Array("alice".utf8), Array("bob".utf8)])
    #expect(secrets.hidden(in: text) == shown)
    let both = Secrets(["hidden"], words: [Array("alice".utf8), Array("bob".utf8)])
    #expect(both.hidden(in: "hidden: \(text)") == "…: \(shown)")
  }

  @Test(arguments: [
    ("abc", ["abc"]), ("ab", []), ("", []), ("ab abc a1Z", ["abc", "a1Z"]),
    ("abc-def_ghi.jkl", ["abc", "def", "ghi", "jkl"]), ("@abc[def`ghi{jk", ["abc", "def", "ghi"]),
    ("/abc:def", ["abc", "def"]), ("zZ9", ["zZ9"]), ("aA0", ["aA0"]),
    // Letters beyond ASCII, and signs that separate words.
    ("été", ["été"]), ("naïve über", ["naïve", "über"]), ("abc«def»", ["abc", "def"]),
    ("abc—def", ["abc", "def"]), ("中文", ["中文"]), ("ああ", ["ああ"]),
    ("中文、日本。", ["中文", "日本"]), ("привет, мир", ["привет", "мир"]),
  ])
  func `Secrets.words splits a text into runs of letters and digits of at least three bytes`(
    _ text: String, _ words: [String]
  ) {
    let found = Secrets.words(in: Array(text.utf8)[...])
    #expect(found.map { String(decoding: $0, as: UTF8.self) } == words)
    // The rest of a character that was cut belongs to no word.
    let cut = [0xA9] + Array(text.utf8)
    #expect(Secrets.words(in: cut[...]).map { Array($0) } == found.map { Array($0) })
  }

  @Test(arguments: [
    (#"pass\uD83D"#, "…"), (#"pass\uD83D\"#, "…"), (#"pass\uD83D\u"#, "…"),
    (#"pass\uD83D\uDE0"#, "…"), (#"pass\uD83D\uDE00"#, "…"), (#"pass\u0041"#, #"pass\u0041"#),
    (#"pass\uD83D&"#, #"pass\uD83D&"#), (#"pass%F"#, "…"), (#"pass&#x1F6"#, "…"),
    (#"pass%Fx"#, #"pass%Fx"#), (#"pass&#x1F;x"#, #"pass&#x1F;x"#),
  ])
  func `if a text ends within an escape of a secret, Secrets hides the secret's start`(
    _ form: String, _ shown: String
  ) {
    #expect(Secrets(["pass😀word"]).hidden(in: "the key \(form)") == "the key \(shown)")
  }

  @Test func `if a text ends within a character of a secret, Secrets hides the secret's start`() {
    for length in 1...3 {
      let cut = String(decoding: "the key pass😀".utf8.dropLast(length), as: UTF8.self)
      #expect(Secrets(["pass😀word"]).hidden(in: cut) == "the key …")
    }
    for text in ["the key pass\u{FFFD}", "the key pass\u{FFFD} is wrong"] {
      #expect(!Secrets(["pass\u{FFFD}"]).hidden(in: text).contains("pass"), "\(text)")
    }
    #expect(Secrets(["pass"]).hidden(in: "the key pass\u{FFFD}") == "the key …\u{FFFD}")
  }

  @Test func `Secrets hides the secret parts of a URL's path both raw and percent-decoded`() throws
  {
    let url = try #require(URL(string: "https://events.example/v1/T%30ken%2FA/logs"))
    #expect(url.secretsOfPath == ["T%30ken%2FA", "T0ken/A"])
    #expect(Secrets(url.secretsOfPath).hidden(in: "no T0ken/A here") == "no … here")
  }
}
