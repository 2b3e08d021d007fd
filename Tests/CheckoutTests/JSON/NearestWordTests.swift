// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Checkout

@Suite struct `Nearest words` {
  @Test(arguments: [
    // One letter of three: removed, added, replaced or swapped, at each place.
    ("bc", "abc"), ("ac", "abc"), ("ab", "abc"), ("xabc", "abc"), ("axbc", "abc"), ("abcx", "abc"),
    ("xbc", "abc"), ("axc", "abc"), ("abx", "abc"), ("bac", "abc"), ("acb", "abc"), ("abc", "abc"),
    // Two of six.
    ("badcef", "abcdef"), ("abdcfe", "abcdef"), ("xbcdex", "abcdef"), ("cdef", "abcdef"),
    ("abcd", "abcdef"), ("xabcdefx", "abcdef"), ("bcdefx", "abcdef"), ("xabcde", "abcdef"),
    ("bacdfe", "abcdef"),
    // One of less than three.
    ("a", "b"), ("ab", "ax"), ("a", "ab"), ("ab", "b"), ("ABC", "abc"), ("abc", "ABD"),
  ])
  func `NearestWord finds a word that differs in at most a third of its letters`(
    text: String, word: String
  ) {
    #expect(NearestWord.find(for: text, in: [word]) == word)
    #expect(NearestWord.find(for: word, in: [text]) == text)
  }

  @Test(arguments: [
    ("cab", "abc"), ("xyc", "abc"), ("axx", "abc"), ("a", "abc"), ("abxyc", "abc"), ("ca", "abc"),
    ("abcd", "abxy"), ("badcfe", "abcdef"), ("xxxdef", "abcdef"), ("def", "abcdef"),
    ("ab", "cd"), ("", "abcdef"), ("acbxyz", "abcdef"),
  ])
  func `NearestWord doesn't find a word that differs in more than a third of its letters`(
    text: String, word: String
  ) {
    #expect(NearestWord.find(for: text, in: [word]) == nil)
    #expect(NearestWord.find(for: word, in: [text]) == nil)
  }

  @Test func `NearestWord finds the first of several equally near words`() {
    #expect(NearestWord.find(for: "cat", in: ["bat", "hat"]) == "bat")
    #expect(NearestWord.find(for: "mug", in: ["mog", "mug", "mig"]) == "mug")
    #expect(NearestWord.find(for: "abcdef", in: ["abxyef", "abcxef", "xbcdef"]) == "abcxef")
    #expect(NearestWord.find(for: "mug", in: [String]()) == nil)
  }

  @Test func `NearestWord finds nothing for a text of more than 64 letters`() {
    let long = String(repeating: "a", count: 64)
    #expect(NearestWord.find(for: long, in: [long + "a"]) == long + "a")
    #expect(NearestWord.find(for: long + "a", in: [long]) == nil)
  }

  @Test func `the error for an unknown field suggests the nearest field name`() {
    #expect(FieldFault.unknown(nearest: "sku").description.hasSuffix("“sku”?"))
    #expect(!FieldFault.unknown(nearest: nil).description.contains("“"))
    #expect(FieldFault.wrongType(expected: "a text").description.contains("a text"))
  }
}
