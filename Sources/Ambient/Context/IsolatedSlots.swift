// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The slots of an isolating scope. The slot of a context is created when the context is first used
/// in the scope.
///
/// A reader searches an append-only list without a lock. A lock is taken only to add a slot.
final class IsolatedSlots: Sendable {
  /// The newest slot, which `slots` retains.
  private let newest = Atomic<Unmanaged<ScopeSlot>?>(nil)
  private let slots = Guarded<[ScopeSlot]>([])

  init() { ContextRegistry.changeIsolations(by: 1) }

  deinit { ContextRegistry.changeIsolations(by: -1) }

  /// Returns the slot of a context in this scope, or nil if there is none. The reference is valid
  /// as long as this object exists.
  func slot(of entry: Unmanaged<ProcessSlot>) -> Unmanaged<ScopeSlot>? {
    // The unmanaged references are valid as long as this object exists, because `slots` retains
    // every slot.
    var slot = newest.load(ordering: .acquiring)
    while let found = slot, !found._withUnsafeGuaranteedRef({ $0.isOf(entry) }) {
      slot = found._withUnsafeGuaranteedRef(\.next)
    }
    return slot
  }

  /// Returns the slot of a context in this scope. If there is none, adds a slot that holds
  /// `assignment`, whose installation the caller has already counted.
  func slot(
    of entry: Unmanaged<ProcessSlot>, holding assignment: AnyService
  ) -> (slot: ScopeSlot, isNew: Bool) {
    slots.withLock { slots in
      if let found = slots.first(where: { $0.isOf(entry) }) {
        return (found, false)
      }
      let made = ScopeSlot(
        entry, assignment, next: slots.last.map { .passUnretained($0) })
      slots.append(made)
      newest.store(.passUnretained(made), ordering: .releasing)
      return (made, true)
    }
  }

  /// The slots of the contexts that were used in this scope, in the order of their first use.
  var all: [ScopeSlot] { slots.withLock { $0.map(\.self) } }
}
