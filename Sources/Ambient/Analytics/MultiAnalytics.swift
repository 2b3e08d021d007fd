// SPDX-License-Identifier: Apache-2.0

/// Analytics that pass each event, with the same identity and time, to several other analytics.
///
/// Those of the analytics that want no events get none.
public final class MultiAnalytics: Analytics, @unchecked Sendable {
  private let all: [Analytics]

  /// Creates analytics that pass each event to each of `analytics`, in that order.
  ///
  /// - Parameter analytics: The analytics. If you list one twice, it gets each event twice.
  public convenience init(_ analytics: Analytics...) { self.init(analytics) }

  /// Creates analytics that pass each event to each of `all`, in that order.
  ///
  /// - Parameter all: The analytics. If you list one twice, it gets each event twice.
  public init(_ all: [Analytics]) { self.all = all }

  /// Whether at least one of the analytics wants events.
  public override var isEnabled: Bool { all.contains { $0.isEnabled } }

  /// The first `storedUser` that is not nil, in the order of the analytics; nil if all are nil.
  public override var storedUser: AnalyticsUser? { all.lazy.compactMap(\.storedUser).first }

  /// Makes each of the analytics store the user.
  ///
  /// - Parameter user: The user that was assigned; nil for none.
  public override func store(_ user: AnalyticsUser?) {
    for analytics in all { analytics.store(user) }
  }

  /// Passes the event to the analytics that want events.
  ///
  /// - Parameter event: The event.
  public override func record(_ event: TrackedEvent) {
    for analytics in all where analytics.isEnabled { analytics.record(event) }
  }

  /// The sum of the numbers of events that the analytics have lost; analytics that are listed twice
  /// count twice.
  public override var lostEvents: Int { all.reduce(0) { $0 + $1.lostEvents } }

  /// Flushes all the analytics.
  public override func flush() { for analytics in all { analytics.flush() } }

  /// Stops all the analytics at the same time, so that analytics that hang do not delay the others.
  ///
  /// - Parameter deadline: The instant at which the caller stops waiting for all of them.
  public override func shutdown(deadline: ContinuousClock.Instant) async {
    await parts.shutdown(deadline: deadline)
  }
}

extension MultiAnalytics: ServiceGroup {
  var members: [any AmbientService] { all }
}
