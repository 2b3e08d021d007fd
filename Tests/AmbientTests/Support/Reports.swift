@testable import Ambient

/// What was reported, by kind.
final class Reports: Sendable {
  private let kept = Guarded<[Diagnostic]>([])

  var all: [Diagnostic] { kept.withLock { $0 } }

  func add(_ report: Diagnostic) { kept.withLock { $0.append(report) } }
}
