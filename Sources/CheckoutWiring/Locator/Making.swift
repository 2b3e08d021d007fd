internal import Ambient
internal import Dispatch

/// Who makes which shared service of a container.
///
/// Factories are user code, so they run outside the lock: the first who needs a service makes it, the
/// others wait for that, and whoever would wait for himself is told.
final class Making: Sendable {
  private struct State {
    /// The services that somebody is making, and what ends with it.
    var ends: [ObjectIdentifier: DispatchGroup] = [:]
    /// Those that were made with something that has been replaced since.
    var stale: Set<ObjectIdentifier> = []
    /// Which service, while it is being made, waits for which.
    var waits: [(asker: any AnyCell, cell: any AnyCell)] = []
    /// Those that were made with a service.
    var dependents: [ObjectIdentifier: [ObjectIdentifier: any AnyCell]] = [:]
  }

  /// What somebody who needs a service is to do.
  enum Step {
    case take
    case make
    case wait(DispatchGroup)
    /// The cells from the one that is needed to the one that needs it.
    case cycle([any AnyCell])
  }

  private let state = Guarded(State())

  /// Decides for somebody who needs the service of `cell` to make that of `asker`.
  func step(_ cell: any AnyCell, for asker: (any AnyCell)?) -> Step {
    state.withLock { state in
      if cell.isReady { return .take }
      let step: Step
      if let end = state.ends[ObjectIdentifier(cell)] {
        var seen: Set<ObjectIdentifier> = []
        if let asker, let path = Self.path(cell, to: asker, state.waits, &seen) {
          return .cycle(path)
        }
        step = .wait(end)
      } else {
        let end = DispatchGroup()
        end.enter()
        state.ends[ObjectIdentifier(cell)] = end
        step = .make
      }
      if let asker { state.waits.append((asker, cell)) }
      return step
    }
  }

  /// Notes that `asker` does not wait for `cell` any more.
  func stopWaiting(_ asker: (any AnyCell)?, for cell: any AnyCell) {
    state.withLock { Self.stopWaiting(asker, for: cell, &$0) }
  }

  /// Ends the making; `share` shows to all what was made, unless it is stale.
  func finish(_ cell: any AnyCell, for asker: (any AnyCell)?, share: () -> Void) {
    let end = state.withLock { state in
      Self.stopWaiting(asker, for: cell, &state)
      if state.stale.remove(ObjectIdentifier(cell)) == nil { share() }
      return state.ends.removeValue(forKey: ObjectIdentifier(cell))
    }
    end?.leave()
  }

  /// Notes that the service of `dependent` is made with that of `cell`.
  func note(_ cell: any AnyCell, dependent: any AnyCell) {
    state.withLock {
      $0.dependents[ObjectIdentifier(cell), default: [:]][ObjectIdentifier(dependent)] = dependent
    }
  }

  /// Lets `share` put another service in the cell, and forgets what was made with the one before.
  func replace(_ cell: any AnyCell, share: () -> Void) {
    state.withLock { state in
      func spoil(_ cell: any AnyCell) {
        let id = ObjectIdentifier(cell)
        if state.ends[id] != nil { state.stale.insert(id) }
      }
      spoil(cell)
      share()
      var changed = [ObjectIdentifier(cell)]
      while let id = changed.popLast() {
        for dependent in (state.dependents.removeValue(forKey: id) ?? [:]).values {
          spoil(dependent)
          dependent.forget()
          changed.append(ObjectIdentifier(dependent))
        }
      }
    }
  }

  private static func stopWaiting(
    _ asker: (any AnyCell)?, for cell: any AnyCell, _ state: inout State
  ) {
    guard let index = state.waits.firstIndex(where: { $0.asker === asker && $0.cell === cell })
    else { return }
    state.waits.remove(at: index)
  }

  /// The way by which `cell` waits for `goal`, if it does.
  private static func path(
    _ cell: any AnyCell, to goal: any AnyCell,
    _ waits: [(asker: any AnyCell, cell: any AnyCell)], _ seen: inout Set<ObjectIdentifier>
  ) -> [any AnyCell]? {
    if cell === goal { return [cell] }
    guard seen.insert(ObjectIdentifier(cell)).inserted else { return nil }
    for wait in waits where wait.asker === cell {
      if let rest = path(wait.cell, to: goal, waits, &seen) { return [cell] + rest }
    }
    return nil
  }
}
