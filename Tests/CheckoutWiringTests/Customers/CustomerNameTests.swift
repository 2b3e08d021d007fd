// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Foundation
import Testing

@Suite(.isolatedAmbients) struct `Customer names` {
  @Test(arguments: [
    ("Ada", "ada"), (" Ada\n", "ada"), ("ＡＤＡ", "ada"), ("Ada\u{200B}", "ada"),
    ("Ame\u{301}lie", "amélie"), ("AMÉLIE", "amélie"), ("Straße", "strasse"),
    ("STRASSE", "strasse"),
    ("STRA\u{1E9E}E", "strasse"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("Σίσυφος", "σίσυφοσ"),
    ("ﬁnn", "finn"), ("Ada\u{3000}Lovelace", "ada lovelace"), ("ışık", "ışık"),
    ("نور\u{200C}", "نور"), ("ｶﾞ", "ガ"),
  ])
  func `customer names are compared after NFKC folding and trimming`(name: String, folded: String) {
    #expect(
      CustomerName.folded(name).map { Array($0.unicodeScalars) } == Array(folded.unicodeScalars))
  }

  @Test func `customer name folding is idempotent and follows Unicode's NFKC_Casefold`() {
    // Unicode folds the small letters of Cherokee to its capitals, which came first.
    let cherokee = [UInt32(0x13A0)...0x13FD, 0xAB70...0xABBF]
    for value in UInt32(0x21)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.age?.major ?? 99 <= 15 else {
        continue
      }
      let changes = scalar.properties.changesWhenNFKCCaseFolded
      guard changes || scalar.properties.isCased, let once = CustomerName.folded("a\(scalar)b"),
        let twice = CustomerName.folded(once)
      else { continue }
      let isChanged = !once.unicodeScalars.elementsEqual("a\(scalar)b".unicodeScalars)
      let isRight = isChanged == changes || cherokee.contains { $0.contains(value) }
      if twice.utf8.elementsEqual(once.utf8), isRight { continue }
      Issue.record("U+\(String(value, radix: 16)): \(once), \(twice)")
    }
    #expect(CustomerName.folded("Ꭰ") == CustomerName.folded("ꭰ"))
  }

  @Test(arguments: ["Zoë", "e\u{301}milie", "فاطمه‌ها", "क्‍ष", "👩‍💻 Ada", "李小龍 Bruce", "100"])
  func `a customer name may use any script and the joiners that the script needs`(name: String)
    throws
  {
    #expect(try Customer(name: name).name == name.precomposedStringWithCanonicalMapping)
  }

  @Test(arguments: [
    ("", CustomerError.emptyName), (" \n\t", .emptyName), ("\u{3000}", .emptyName),
    ("\u{34F}\u{34F}", .emptyName), ("a\0b", .nameCharacter("\0")),
    ("Ada\u{202E}", .nameCharacter("\u{202E}")), ("A\u{AD}da", .nameCharacter("\u{AD}")),
    ("A\u{200B}da", .nameCharacter("\u{200B}")), ("Ada\u{E000}", .nameCharacter("\u{E000}")),
    ("A\ndA", .nameCharacter("\n")), ("A\u{2028}a", .nameCharacter("\u{2028}")),
    (String(repeating: "a", count: 256), .nameTooLong(limit: 255)),
    (String(repeating: "\u{FDFA}", count: 20), .nameTooLong(limit: 255)),
  ])
  func `an empty, overlong or invalid customer name is refused`(name: String, error: CustomerError)
  {
    #expect(throws: error) { try Customer(name: name) }
  }

  @Test func `a customer name of a million letters is refused`() {
    #expect(throws: CustomerError.nameTooLong(limit: 255)) {
      try Customer(name: String(repeating: "a", count: 1_000_000))
    }
  }

  @Test func `a customer name is limited to 255 characters and 1,020 bytes`()
    throws
  {
    let most = String(repeating: "a", count: 255)
    #expect(CustomerName.folded(most) == most && CustomerName.folded(most + "a") == nil)
    let padded = "a" + String(repeating: " ", count: 1_019)
    #expect(CustomerName.folded(padded) == "a" && CustomerName.folded(padded + " ") == nil)
    #expect(try Customer(name: padded).name == "a")
    #expect(throws: CustomerError.nameTooLong(limit: 255)) { try Customer(name: padded + " ") }
    #expect(CustomerName.folded("") == nil && CustomerName.folded(" ") == nil)
  }

  @Test func `a customer name of the maximum length is accepted in each script`() throws {
    for letter in ["a", "é", "漢", "𞤀"] {
      let name = String(repeating: letter, count: CustomerName.limit)
      #expect(try Customer(name: name).name == name)
    }
  }
}
