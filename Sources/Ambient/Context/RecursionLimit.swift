internal import CAmbient
internal import Synchronization

/// How deep a thread is in calls of a service that come from within calls of that service.
///
/// A description may log, and so may a handler. One that logs what it describes would never end.
struct RecursionLimit: ~Copyable, Sendable {
  /// Whose calls are counted: the place of their count in what C keeps for each thread, which has
  /// room for these alone.
  enum Service: Int {
    case log, analytics
  }

  static let depth = 8

  private let source: StaticString
  private let lost = Atomic<Int>(0)
  private let isReported = Atomic<Bool>(false)

  /// The limit of one kind of service, for as long as the process lives.
  init(source: StaticString) { self.source = source }

  /// How many calls were lost because they were too deep.
  var lostCalls: Int { lost.load(ordering: .relaxed) }

  /// Calls `body`, unless this thread is too deep already in calls of the service.
  @inline(__always)
  func descend(_ service: Service, _ body: () -> Void) {
    let place = service.rawValue
    let depth = ambient_depth_load(place)
    guard depth < Self.depth else { return lose() }
    ambient_depth_store(place, depth + 1)
    body()
    ambient_depth_store(place, depth)
  }

  @inline(never)
  private func lose() {
    lost.add(1, ordering: .relaxed)
    guard !isReported.exchange(true, ordering: .relaxed) else { return }
    Diagnostics.report(
      Diagnostic(
        .recursion, source: source.description,
        """
        a call was lost: it came from within another one, \(Self.depth) deep. \
        Look for a description or a handler that calls what called it.
        """))
  }
}
