// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Checkout

@Suite struct `The first answer` {
  @Test func `is the one that counts`() async {
    let result = await withCheckedContinuation { continuation in
      let first = FirstAnswer<Int, PaymentError>(continuation)
      #expect(first.give(.success(1)))
      #expect(!first.give(.success(2)) && !first.give(.failure(.declined)))
    }
    guard case .success(1) = result else {
      Issue.record("\(result)")
      return
    }
  }
}
