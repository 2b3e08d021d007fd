// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

/// A program for tests: `BasketWriter FOLDER SKU UNTIL` waits for the file UNTIL, and adds one of a
/// product to the basket in a folder.
@main enum BasketWriter {
  static func main() async throws {
    let words = CommandLine.arguments
    Log.instance = NoLog()
    while access(words[3], F_OK) != 0 { usleep(1_000) }
    let client = BasketClient(
      store: try FileBasketStore(folder: words[1]), service: MemoryBasketService(),
      prices: try Shop.example().prices)
    try await client.add(SKU(words[2]))
  }
}
