internal import Ambient
internal import Dispatch

/// Who makes which shared service of a container.
///
/// Factories are user code, so they run outside the lock: the first who needs a service makes it,
/// the others wait for that, and whoever would wait for himself is told.
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

    /// The way by which `cell` waits for `goal`, if it does; nobody waits in a circle.
    func path(_ cell: any AnyCell, to goal: any AnyCell) -> [any AnyCell]? {
      if cell === goal { return [cell] }
      for wait in waits where wait.asker === cell {
        if let rest = path(wait.cell, to: goal) { return [cell] + rest }
      }
      return nil
    }

    /// Notes that what is being made there, if anything is, is not to be shared.
    mutating func spoil(_ cell: any AnyCell) {
      let id = ObjectIdentifier(cell)
      if ends[id] != nil { stale.insert(id) }
    }
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
        if let asker, let path = state.path(cell, to: asker) { return .cycle(path) }
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
    state.withLock { state in
      let index = state.waits.firstIndex { $0.asker === asker && $0.cell === cell }
      if let index { state.waits.remove(at: index) }
    }
  }

  /// Ends the making; `share` shows to all what was made, if anything was, unless it is stale.
  func finish(_ cell: any AnyCell, for asker: (any AnyCell)?, share: (() -> Void)?) {
    stopWaiting(asker, for: cell)
    let end = state.withLock { state in
      if state.stale.remove(ObjectIdentifier(cell)) == nil { share?() }
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
      state.spoil(cell)
      share()
      // What is given was made with nothing that could be replaced.
      for id in state.dependents.keys { state.dependents[id]?[ObjectIdentifier(cell)] = nil }
      var changed = [ObjectIdentifier(cell)]
      while let id = changed.popLast() {
        for dependent in (state.dependents.removeValue(forKey: id) ?? [:]).values {
          state.spoil(dependent)
          dependent.forget()
          changed.append(ObjectIdentifier(dependent))
        }
      }
    }
  }
}
