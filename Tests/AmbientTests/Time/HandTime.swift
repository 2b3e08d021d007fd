import Ambient
import Foundation

/// A time that a test moves by hand, each clock by itself, and that notes its sleeps.
final class HandTime: Time, @unchecked Sendable {
  struct Hands {
    var wall = Date(timeIntervalSinceReferenceDate: 800_000_000)
    var elapsed = Duration.seconds(100)
    var sleeps: [Duration] = []
    var tolerances: [Duration?] = []
    var callers: [SourcePlace] = []
  }

  let hands = Guarded(Hands())

  var sleeps: [Duration] { hands.withLock(\.sleeps) }

  func pass(_ duration: Duration) {
    hands.withLock {
      $0.wall += duration / .seconds(1)
      $0.elapsed += duration
    }
  }

  func setWall(by duration: Duration) { hands.withLock { $0.wall += duration / .seconds(1) } }

  override var now: Date { hands.withLock(\.wall) }

  override var uptime: Duration { hands.withLock(\.elapsed) }

  /// A sleep passes at once.
  override func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    try Task.checkCancellation()
    let rest = deadline - uptime
    hands.withLock {
      $0.sleeps.append(rest)
      $0.tolerances.append(tolerance)
      $0.callers.append(caller)
    }
    if rest > .zero { pass(rest) }
  }
}

/// An error of a test's own.
enum Trouble: Error { case here }
