internal import Synchronization

/// The slots of an isolating scope, made as its contexts are first used.
///
/// A reader walks an append-only list without a lock; an absent slot is added under one.
final class Isolation: Sendable {
  /// The newest slot as a bit pattern; zero for none.
  private let newest = Atomic<UInt>(0)
  private let slots = Guarded<[Slot]>([])

  init() { ContextRegistry.changeIsolations(by: 1) }

  deinit { ContextRegistry.changeIsolations(by: -1) }

  /// The context's slot, or nil; valid while the isolation lives.
  func slot(of entry: Unmanaged<ContextEntry>) -> Unmanaged<Slot>? {
    // Valid while the isolation lives: `slots` holds each.
    var slot = UnsafeRawPointer(bitPattern: newest.load(ordering: .acquiring)).map {
      Unmanaged<Slot>.fromOpaque($0)
    }
    while let found = slot, !found._withUnsafeGuaranteedRef({ $0.isOf(entry) }) {
      slot = found._withUnsafeGuaranteedRef(\.next)
    }
    return slot
  }

  /// Makes the default, and keeps it if the context has no slot here yet; returns the one kept.
  func installDefault(
    of entry: ContextEntry, _ makeDefault: () -> Assignment
  ) -> UInt {
    slot(of: entry, holding: DefaultsInMaking.make(for: entry, makeDefault)).slot.object
  }

  func assign(_ assignment: Assignment, to entry: ContextEntry) {
    let (slot, isNew) = slot(of: entry, holding: assignment)
    if !isNew { slot.assign(assignment) }
  }

  /// The context's slot; makes one with `assignment` if there is none.
  private func slot(
    of entry: ContextEntry, holding assignment: Assignment
  ) -> (slot: Slot, isNew: Bool) {
    entry.change(assignment, by: 1)
    let (slot, isNew) = slots.withLock { slots in
      if let found = slots.first(where: { $0.isOf(.passUnretained(entry)) }) {
        return (found, false)
      }
      let made = Slot(
        .passUnretained(entry), assignment, next: slots.last.map { .passUnretained($0) })
      slots.append(made)
      newest.store(
        UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()), ordering: .releasing)
      return (made, true)
    }
    if !isNew { entry.change(assignment, by: -1) }
    return (slot, isNew)
  }

  /// The slots of the contexts used here, in the order of their first use.
  var all: [Slot] { slots.withLock { $0.map(\.self) } }
}
