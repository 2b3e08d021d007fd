// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Stable digests` {
  @Test(arguments: [
    ("", "f52a15e9a9b5e89b504c9b465be3ac3b", "f52a15e9-a9b5-489b-904c-9b465be3ac3b"),
    ("a", "02c0bdbf481420f8ba10d8f286cc29db", "02c0bdbf-4814-40f8-ba10-d8f286cc29db"),
    ("order 42", "a478528593082454432c53181de71ff2", "a4785285-9308-4454-832c-53181de71ff2"),
  ])
  func `a StableDigest returns the known hexadecimal digits and UUID of a text`(
    text: String, digits: String, uuid: String
  ) {
    let digest = StableDigest(text.utf8)
    #expect(digest.digits(32) == digits && digest.digits(40) == digits)
    #expect(digest.digits(8) == digits.suffix(8) && digest.digits(1) == digits.suffix(1))
    #expect(digest.high == UInt64(digits.prefix(16), radix: 16))
    #expect(digest.uuid == uuid)
    #expect(digest == StableDigest(Array(text.utf8)) && digest != StableDigest("b".utf8))
  }

  @Test func `SplitMix64 generates the published reference numbers`() {
    var numbers = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in numbers.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }
}
