// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Checkout

@Suite struct `First answers` {
  @Test func `FirstAnswer returns only the first of several answers to the caller`() async {
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
