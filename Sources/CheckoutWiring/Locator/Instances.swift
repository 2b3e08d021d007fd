internal import Ambient
internal import Dispatch

/// The services that are shared: by a container, or by those that are made for one question.
///
/// Factories are user code, so they run outside the lock: the first who needs a service makes it,
/// the others wait for that, and whoever would wait for himself is told.
final class Instances: Sendable {
  /// A service that somebody is making.
  private struct Making {
    var waiters: [DispatchSemaphore] = []
    /// Something that it was made with has been replaced since.
    var isStale = false
  }

  private struct State {
    /// Every box that was ever published: readers take no lock.
    var kept: [any AnyObject & Sendable] = []
    var making: [ObjectIdentifier: Making] = [:]
    /// What those that are being made are waiting for.
    var needs: [ObjectIdentifier: [any AnyCell]] = [:]
    /// Those that were made with a service.
    var dependents: [ObjectIdentifier: [ObjectIdentifier: any AnyCell]] = [:]
  }

  /// What somebody who needs a service is to do.
  enum Step {
    case take
    case make
    case wait(DispatchSemaphore)
    /// The cells from the one that is needed to the one that needs it.
    case cycle([any AnyCell])
  }

  private let state = Guarded(State())

  /// Decides for somebody who needs the service of `cell` to make that of `asker`.
  func step(_ cell: any AnyCell, for asker: (any AnyCell)?) -> Step {
    state.withLock { state in
      if cell.isReady { return .take }
      let id = ObjectIdentifier(cell)
      if state.making[id] == nil {
        state.making[id] = Making()
        Self.need(cell, asker, &state)
        return .make
      }
      if let asker {
        var seen: Set<ObjectIdentifier> = []
        if let path = Self.path(cell, to: asker, state, &seen) { return .cycle(path) }
      }
      let semaphore = DispatchSemaphore(value: 0)
      state.making[id]?.waiters.append(semaphore)
      Self.need(cell, asker, &state)
      return .wait(semaphore)
    }
  }

  /// Notes that `asker` does not wait for `cell` any more.
  func stopNeeding(_ cell: any AnyCell, _ asker: (any AnyCell)?) {
    state.withLock { Self.stopNeeding(cell, asker, &$0) }
  }

  /// Ends the making, and shows what was made to all, unless it is stale.
  func finish<Service>(_ cell: Cell<Service>, for asker: (any AnyCell)?, _ made: Made<Service>?) {
    let waiters = state.withLock { state in
      Self.stopNeeding(cell, asker, &state)
      let making = state.making.removeValue(forKey: ObjectIdentifier(cell))
      if let made, making?.isStale == false {
        if let kept = made.kept { state.kept.append(kept) }
        made.publish()
      }
      return making?.waiters ?? []
    }
    for waiter in waiters { waiter.signal() }
  }

  /// Notes that the service of `dependent` is made with that of `cell`.
  func note(_ cell: any AnyCell, dependent: any AnyCell) {
    state.withLock {
      $0.dependents[ObjectIdentifier(cell), default: [:]][ObjectIdentifier(dependent)] = dependent
    }
  }

  /// Shows a service that was given, in place of any other, and forgets what was made with that.
  func keep<Service: Sendable>(_ box: Box<Service>, in cell: Cell<Service>) {
    state.withLock { state in
      state.making[ObjectIdentifier(cell)]?.isStale = true
      cell.memory?.forget()
      state.kept.append(box)
      cell.publish(box)
      var changed: [ObjectIdentifier] = [ObjectIdentifier(cell)]
      while let id = changed.popLast() {
        for (dependent, cell) in state.dependents.removeValue(forKey: id) ?? [:] {
          state.making[dependent]?.isStale = true
          cell.forget()
          changed.append(dependent)
        }
      }
    }
  }

  private static func need(
    _ cell: any AnyCell, _ asker: (any AnyCell)?, _ state: inout State
  ) {
    if let asker { state.needs[ObjectIdentifier(asker), default: []].append(cell) }
  }

  private static func stopNeeding(
    _ cell: any AnyCell, _ asker: (any AnyCell)?, _ state: inout State
  ) {
    guard let id = asker.map({ ObjectIdentifier($0) }), var needs = state.needs[id],
      let index = needs.firstIndex(where: { $0 === cell })
    else { return }
    needs.remove(at: index)
    state.needs[id] = needs.isEmpty ? nil : needs
  }

  /// The way by which `cell` waits for `goal`, if it does.
  private static func path(
    _ cell: any AnyCell, to goal: any AnyCell, _ state: State,
    _ seen: inout Set<ObjectIdentifier>
  ) -> [any AnyCell]? {
    if cell === goal { return [cell] }
    guard seen.insert(ObjectIdentifier(cell)).inserted else { return nil }
    for next in state.needs[ObjectIdentifier(cell)] ?? [] {
      if let rest = path(next, to: goal, state, &seen) { return [cell] + rest }
    }
    return nil
  }
}
