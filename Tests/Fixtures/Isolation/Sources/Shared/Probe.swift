import Ambient
import CWhere
import Synchronization

/// Where code should run.
nonisolated enum Place {
  case pool
  case main
  case home(Home)
}

nonisolated struct Stop: Error {}

/// Notes each line whose code ran elsewhere than it should.
nonisolated final class Probe: Sendable {
  private let place: Place
  let name: String
  private let throwing: Bool
  private let wrong = Mutex<[UInt: Int]>([:])
  private let asked = Atomic<Int>(0)

  init(_ place: Place, _ name: String, throwing: Bool) {
    self.place = place
    self.name = name
    self.throwing = throwing
  }

  /// Asks where the calling line runs.
  func on(line: UInt = #line) {
    asked.add(1, ordering: .relaxed)
    let isRight =
      switch place {
      case .pool: !Self.isCurrent(MainActor.shared.unownedExecutor)
      case .main: Self.isCurrent(MainActor.shared.unownedExecutor)
      case .home(let home): Self.isCurrent(home.unownedExecutor)
      }
    if !isRight { wrong.withLock { $0[line, default: 0] += 1 } }
  }

  /// Ends a block, by a throw in each second run.
  func end() throws {
    if throwing { throw Stop() }
  }

  /// Asks where code runs that comes after the block.
  func after<R>(_ result: R, line: UInt = #line) { on(line: line) }

  /// The lines that ran elsewhere; empty if none was asked.
  func findings() -> [UInt] {
    precondition(asked.load(ordering: .relaxed) > 0, "\(name) asked nothing")
    return wrong.withLock { $0.keys.sorted() }
  }

  /// Prints the lines that ran elsewhere, and returns how many there are.
  func report() -> Int {
    let lines = findings()
    for line in lines { print("\(name): line \(line) is on another executor") }
    return lines.count
  }

  private static func isCurrent(_ executor: UnownedSerialExecutor) -> Bool {
    // An UnownedSerialExecutor is the executor's two words.
    let words = unsafeBitCast(executor, to: (UInt, UInt).self)
    return is_current_executor(words.0, words.1)
  }
}

/// A context of a program's own, as the page on contexts has it.
nonisolated enum Flags {
  private static let context = AmbientContext<Bool>("Flags") { false }

  nonisolated(nonsending) static func withInstance<R, E: Error>(
    _ flag: Bool, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await context.withInstance(flag, body)
  }
}

/// A wrapper of a program's own, which hands its body on.
nonisolated(nonsending) func inRequest<R>(
  _ body: nonisolated(nonsending) () async throws -> R
) async throws -> R {
  try await Log.withMetadata(["request": 1], body)
}
