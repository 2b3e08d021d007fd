internal import Synchronization

/// The slots of an isolating scope, made as its contexts are first used.
///
/// A reader walks an append-only list without a lock; a missing slot is added under a lock.
final class IsolatedSlots: Sendable {
  /// The newest slot as a bit pattern; zero for none.
  private let newest = Atomic<UInt>(0)
  private let slots = Guarded<[ScopeSlot]>([])

  init() { ContextRegistry.changeIsolations(by: 1) }

  deinit { ContextRegistry.changeIsolations(by: -1) }

  /// The context's slot, or nil; valid while the isolation lives.
  func slot(of entry: Unmanaged<ProcessSlot>) -> Unmanaged<ScopeSlot>? {
    // Valid while the isolation lives: `slots` retains every slot.
    var slot = UnsafeRawPointer(bitPattern: newest.load(ordering: .acquiring)).map {
      Unmanaged<ScopeSlot>.fromOpaque($0)
    }
    while let found = slot, !found._withUnsafeGuaranteedRef({ $0.isOf(entry) }) {
      slot = found._withUnsafeGuaranteedRef(\.next)
    }
    return slot
  }

  /// Makes a default, and stores it in a new slot unless the context has a slot here by then;
  /// returns the service in the slot.
  func installDefault(
    of entry: ProcessSlot, _ makeDefault: () -> AnyService
  ) -> UInt {
    slot(of: entry, holding: DefaultsInMaking.make(for: entry, makeDefault)).slot.object
  }

  func assign(_ assignment: AnyService, to entry: ProcessSlot) {
    let (slot, isNew) = slot(of: entry, holding: assignment)
    if !isNew { slot.assign(assignment) }
  }

  /// The context's slot; makes one with `assignment` if there is none.
  private func slot(
    of entry: ProcessSlot, holding assignment: AnyService
  ) -> (slot: ScopeSlot, isNew: Bool) {
    entry.change(assignment, by: 1)
    let (slot, isNew) = slots.withLock { slots in
      if let found = slots.first(where: { $0.isOf(.passUnretained(entry)) }) {
        return (found, false)
      }
      let made = ScopeSlot(
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
  var all: [ScopeSlot] { slots.withLock { $0.map(\.self) } }
}
