import Synchronization

/// Every context of the process, in the order of their first use.
enum Registry {
  private struct State {
    var entries: [any ContextEntry] = []
    /// An isolating scope was opened: it binds contexts that do not exist yet, too.
    var isolated = false
  }

  private static let state = Guarded(State())

  static var entries: [any ContextEntry] { state.withLock(\.entries) }

  static func entry(_ number: Int) -> any ContextEntry { state.withLock { $0.entries[number - 1] } }

  /// Gives the context its number, once.
  static func register(
    _ number: borrowing Atomic<Int>, _ makeEntry: () -> any ContextEntry
  ) -> Int {
    let entry = makeEntry()
    return state.withLock { state in
      let known = number.load(ordering: .acquiring)
      if known != 0 { return known }
      state.entries.append(entry)
      if state.isolated { entry.noteScope() }
      number.store(state.entries.count, ordering: .releasing)
      return state.entries.count
    }
  }

  /// Must come before an isolating scope is bound, so that readers look for it.
  static func noteIsolation() {
    let entries = state.withLock { state in
      state.isolated = true
      return state.entries
    }
    for entry in entries { entry.noteScope() }
  }
}

/// What the registry asks of a context without knowing its service.
protocol ContextEntry: AnyObject, Sendable {
  var name: String { get }
  /// The services that the process ever used, oldest first.
  var services: [any Sendable] { get }
  /// Makes every later reader look for a scope.
  func noteScope()
}
