// SPDX-License-Identifier: Apache-2.0

internal import CAmbient
internal import Synchronization

/// The limit on how deep calls of a service nest on one thread.
///
/// Descriptions and handlers may log. Without a limit, a description that logs the value it
/// describes would never end.
struct RecursionLimit: ~Copyable, Sendable {
  /// The services whose calls are counted. The raw value is the index of the thread's counter in
  /// the C array `depths`, which has two elements.
  enum Service: Int {
    case log, analytics
  }

  static let depth = 8

  private let source: StaticString
  private let lost = Atomic<Int>(0)
  private let isReported = Atomic<Bool>(false)

  /// Makes the limit of one service. The limit lives as long as the process.
  init(source: StaticString) { self.source = source }

  /// The number of calls that were lost because they were nested too deep.
  var lostCalls: Int { lost.load(ordering: .relaxed) }

  /// Calls `body`. If this thread is already eight calls deep in the service, counts the call as
  /// lost instead.
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
    Diagnostics.report(.recursion, source: source.description, Self.text)
  }

  static var text: String {
    """
    dropped a call, because \(depth) calls were nested. Look for a description or a handler that \
    the service calls, and that calls the service again.
    """
  }
}
