// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A scope's storage for one context's service.
final class ScopeSlot: Sendable {
  /// The context's entry, which is valid for ever, because `ContextRegistry` keeps every entry. It
  /// is unmanaged, because retaining an object that threads share does not scale.
  let entry: Unmanaged<ProcessSlot>
  /// In an isolating scope, the slot that was added before this one; valid while the scope's
  /// `IsolatedSlots` exists.
  let next: Unmanaged<ScopeSlot>?
  private let first: AnyService
  /// The bit pattern of the service that was assigned last.
  private let newest: Atomic<UInt>
  /// The slot of `Changes.State.second`, which this slot retains there.
  private let secondSlot = Atomic<Unmanaged<ScopeSlot>?>(nil)
  /// The services that were assigned after `first`. The first assignment creates this object, so
  /// that most scopes, which have no assignment, need no lock.
  private let changes = AtomicLazyReference<Changes>()

  private final class Changes: Sendable {
    struct State {
      /// The services after the first. Replaced services are kept, because other threads may still
      /// be calling them.
      var assignments: [AnyService] = []
      /// The slot of the scope's second context; nil until that context is assigned in this scope.
      var second: ScopeSlot?
    }

    let state = Guarded(State())
  }

  private var later: Changes { changes.load() ?? changes.storeIfNil(Changes()) }

  /// Creates a slot with its first service. The caller has already counted the service's
  /// installation in this slot.
  init(
    _ entry: Unmanaged<ProcessSlot>, _ first: AnyService, next: Unmanaged<ScopeSlot>? = nil
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
  func isOf(_ entry: Unmanaged<ProcessSlot>) -> Bool { self.entry.toOpaque() == entry.toOpaque() }

  /// The bit pattern of the service that was assigned last; valid while the slot lives.
  var object: UInt { newest.load(ordering: .acquiring) }

  var name: String { entry._withUnsafeGuaranteedRef(\.name) }

  /// The last assignment of this scope.
  private var last: AnyService {
    object == first.bits ? first : later.state.withLock { $0.assignments.last ?? first }
  }

  /// All assignments of this scope, oldest first.
  var assignments: [AnyService] {
    [first] + (changes.load()?.state.withLock { $0.assignments.map(\.self) } ?? [])
  }

  /// Assigns a service, whose installation the caller has already counted. Returns the service that
  /// it replaced, which the caller counts as removed.
  func assign(_ assignment: AnyService) -> AnyService {
    later.state.withLock { later in
      let replaced = later.assignments.last ?? first
      later.assignments.append(assignment)
      newest.store(assignment.bits, ordering: .releasing)
      return replaced
    }
  }

  /// The slot of the scope's second context; nil if that context was not assigned in this scope.
  /// It is valid while this slot lives.
  var second: Unmanaged<ScopeSlot>? { secondSlot.load(ordering: .acquiring) }

  /// Returns the slot of the scope's second context. If there is none, makes one that holds
  /// `assignment`.
  func second(
    of entry: Unmanaged<ProcessSlot>, holding assignment: AnyService
  ) -> (slot: ScopeSlot, isNew: Bool) {
    later.state.withLock { later in
      if let second = later.second { return (second, false) }
      let made = ScopeSlot(entry, assignment)
      later.second = made
      secondSlot.store(.passUnretained(made), ordering: .releasing)
      return (made, true)
    }
  }
}
