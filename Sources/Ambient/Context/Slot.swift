internal import Synchronization

/// One scope's place for one context's service.
final class Slot: Sendable {
  /// Valid for ever: the registry keeps every entry. Not counted, since threads share it.
  let entry: Unmanaged<ContextEntry>
  /// In an isolating scope, the slot that was made before; valid while the scope's slots live.
  let next: Unmanaged<Slot>?
  private let first: Assignment
  /// The service in force, as the bit pattern of its object.
  private let newest: Atomic<UInt>
  /// The slot of `State.guest` as a bit pattern; zero for none.
  private let guestBits = Atomic<UInt>(0)
  /// Made by the first assignment in the scope: most scopes have none, and need no lock.
  private let changes = AtomicLazyReference<Changes>()

  private final class Changes: Sendable {
    struct State {
      /// What replaced the first: a call may still be under way on any of them.
      var assignments: [Assignment] = []
      /// The assignment in this scope to a context whose assignments end with it.
      var guest: Slot?
    }

    let state = Guarded(State())
  }

  private var later: Changes { changes.load() ?? changes.storeIfNil(Changes()) }

  /// Whoever makes it has told already that the service is in force in one more place.
  init(
    _ entry: Unmanaged<ContextEntry>, _ first: Assignment, next: Unmanaged<Slot>? = nil
  ) {
    entry._withUnsafeGuaranteedRef { $0.countSlots(by: 1) }
    self.entry = entry
    self.first = first
    newest = Atomic(first.bits)
    self.next = next
  }

  deinit {
    entry._withUnsafeGuaranteedRef { entry in
      entry.countSlots(by: -1)
      if first.isService || object != first.bits { entry.change(last, by: -1) }
    }
  }

  @inline(__always)
  func isOf(_ entry: Unmanaged<ContextEntry>) -> Bool { self.entry.toOpaque() == entry.toOpaque() }

  /// The service's object; valid while the slot lives.
  var object: UInt { newest.load(ordering: .acquiring) }

  var name: String { entry._withUnsafeGuaranteedRef(\.name) }

  /// What is in force here.
  private var last: Assignment {
    object == first.bits ? first : later.state.withLock { $0.assignments.last ?? first }
  }

  /// What was ever in force here, oldest first.
  var assignments: [Assignment] {
    [first] + (changes.load()?.state.withLock { $0.assignments.map(\.self) } ?? [])
  }

  func assign(_ assignment: Assignment) {
    entry._withUnsafeGuaranteedRef { $0.change(assignment, by: 1) }
    let replaced = later.state.withLock { later in
      let replaced = later.assignments.last ?? first
      later.assignments.append(assignment)
      newest.store(assignment.bits, ordering: .releasing)
      return replaced
    }
    entry._withUnsafeGuaranteedRef { $0.change(replaced, by: -1) }
  }

  /// The guest's slot; valid while this one lives.
  var guest: Unmanaged<Slot>? {
    UnsafeRawPointer(bitPattern: guestBits.load(ordering: .acquiring)).map { .fromOpaque($0) }
  }

  /// Assigns to the guest, which gets its slot by that.
  func assignGuest(_ assignment: Assignment, of entry: ContextEntry) {
    entry.change(assignment, by: 1)
    let known = later.state.withLock { later in
      if let guest = later.guest { return Optional(guest) }
      let made = Slot(.passUnretained(entry), assignment)
      later.guest = made
      guestBits.store(
        UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()), ordering: .releasing)
      return nil
    }
    guard let known else { return }
    known.assign(assignment)
    entry.change(assignment, by: -1)
  }
}
