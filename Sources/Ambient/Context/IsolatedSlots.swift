internal import Synchronization

/// The slots of an isolating scope. The slot of a context is created when the context is first used
/// in the scope.
///
/// A reader searches an append-only list without a lock. A lock is taken only to add a slot.
final class IsolatedSlots: Sendable {
  /// The address of the newest slot, or zero if there is no slot.
  private let newest = Atomic<UInt>(0)
  private let slots = Guarded<[ScopeSlot]>([])

  init() { ContextRegistry.changeIsolations(by: 1) }

  deinit { ContextRegistry.changeIsolations(by: -1) }

  /// Returns the slot of a context in this scope, or nil if there is none. The reference is valid
  /// as long as this object exists.
  func slot(of entry: Unmanaged<ProcessSlot>) -> Unmanaged<ScopeSlot>? {
    // The unmanaged references are valid as long as this object exists, because `slots` retains
    // every slot.
    var slot = UnsafeRawPointer(bitPattern: newest.load(ordering: .acquiring)).map {
      Unmanaged<ScopeSlot>.fromOpaque($0)
    }
    while let found = slot, !found._withUnsafeGuaranteedRef({ $0.isOf(entry) }) {
      slot = found._withUnsafeGuaranteedRef(\.next)
    }
    return slot
  }

  /// Makes a default service and stores it in a new slot for the context. If another thread has
  /// added a slot for the context in the meantime, the new service is discarded. Returns the bit
  /// pattern of the service in the slot.
  func installDefault(
    of entry: ProcessSlot, _ makeDefault: () -> AnyService
  ) -> UInt {
    slot(of: entry, holding: DefaultsInMaking.make(for: entry, makeDefault)).slot.object
  }

  func assign(_ assignment: AnyService, to entry: ProcessSlot) {
    let (slot, isNew) = slot(of: entry, holding: assignment)
    if !isNew { slot.assign(assignment) }
  }

  /// Returns the slot of a context in this scope. If there is none, adds a slot that contains
  /// `assignment`.
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

  /// The slots of the contexts that were used in this scope, in the order of their first use.
  var all: [ScopeSlot] { slots.withLock { $0.map(\.self) } }
}
