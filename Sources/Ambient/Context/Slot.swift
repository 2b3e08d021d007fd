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
  /// What replaced the first: a call may still be under way on any of them.
  private let later = Guarded<[Assignment]>([])

  /// Whoever makes it has told already that the service is in force in one more place.
  init(_ entry: ContextEntry, _ first: Assignment, next: Unmanaged<Slot>? = nil) {
    entry.countSlots(by: 1)
    self.entry = .passUnretained(entry)
    self.first = first
    newest = Atomic(first.bits)
    self.next = next
  }

  deinit {
    entry._withUnsafeGuaranteedRef { entry in
      entry.countSlots(by: -1)
      entry.change(last, by: -1)
    }
  }

  @inline(__always)
  func isOf(_ entry: Unmanaged<ContextEntry>) -> Bool { self.entry.toOpaque() == entry.toOpaque() }

  /// The service's object; valid while the slot lives.
  var object: UInt { newest.load(ordering: .acquiring) }

  var name: String { entry._withUnsafeGuaranteedRef(\.name) }

  /// What is in force here.
  private var last: Assignment {
    object == first.bits ? first : later.withLock { $0.last ?? first }
  }

  /// What was ever in force here, oldest first.
  var assignments: [Assignment] { [first] + later.withLock { $0 } }

  func assign(_ assignment: Assignment) {
    entry._withUnsafeGuaranteedRef { $0.change(assignment, by: 1) }
    let replaced = later.withLock { later in
      let replaced = later.last ?? first
      later.append(assignment)
      newest.store(assignment.bits, ordering: .releasing)
      return replaced
    }
    entry._withUnsafeGuaranteedRef { $0.change(replaced, by: -1) }
  }
}
