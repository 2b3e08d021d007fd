// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

/// A store of a basket that takes some changes, and is full then.
final class FillingStore: BasketStore {
  static let error = BasketStoreError.folderNotWritable(path: "/full", reason: "no space")

  private let kept = MemoryBasketStore()
  private let room: Guarded<Int>

  init(changes: Int) { room = Guarded(changes) }

  func load() throws(BasketStoreError) -> Basket? { kept.load() }

  func replace(_ old: Basket?, with new: Basket) throws(BasketStoreError) -> Bool {
    let left = room.withLock { room in
      room -= 1
      return room
    }
    guard left >= 0 else { throw Self.error }
    return kept.replace(old, with: new)
  }
}
