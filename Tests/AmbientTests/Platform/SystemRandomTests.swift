// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `System random bits` {
  /// 33 words are more than the system gives at once, so that they come from elsewhere.
  @Test(arguments: [0, 1, 2, 31, 32, 33])
  func `SystemRandom fills every word with random bits`(count: Int) {
    var words = [UInt64](repeating: 0, count: count)
    SystemRandom.fill(&words)
    let first = words
    SystemRandom.fill(&words)
    #expect(words.count == count)
    // Equal words are as likely as one in 2^53.
    #expect(Set(first + words + [0]).count == 2 * count + 1)
  }
}
