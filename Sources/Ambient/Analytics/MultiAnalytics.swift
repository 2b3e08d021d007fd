/// Analytics that pass each event to several others, with one identity and one time.
public final class MultiAnalytics: Analytics, @unchecked Sendable {
  private let all: [Analytics]

  /// Analytics that pass events to each, in that order.
  ///
  /// - Parameter analytics: Where each event goes; one that is named twice gets it twice.
  public convenience init(_ analytics: Analytics...) { self.init(analytics) }

  /// Analytics that pass events to each of `all`, in that order.
  ///
  /// - Parameter all: Where each event goes; one that is named twice gets it twice.
  public init(_ all: [Analytics]) { self.all = all }

  /// Whether one of them wants events.
  public override var isEnabled: Bool { all.contains { $0.isEnabled } }

  /// The user that the first of them has kept that keeps one.
  public override var keptUser: AnalyticsUser? { all.lazy.compactMap(\.keptUser).first }

  /// Lets each keep the user.
  ///
  /// - Parameter user: The user that was assigned; nil for none.
  public override func keep(_ user: AnalyticsUser?) {
    for analytics in all { analytics.keep(user) }
  }

  /// Passes the event to those that want events.
  ///
  /// - Parameter event: The event, which is the same for all.
  public override func record(_ event: TrackedEvent) {
    for analytics in all where analytics.isEnabled { analytics.record(event) }
  }

  /// The sum of their lost events.
  public override var lostEvents: Int { all.reduce(0) { $0 + $1.lostEvents } }

  /// Flushes each.
  public override func flush() { for analytics in all { analytics.flush() } }

  /// Stops all at once: one that hangs costs the others no time.
  ///
  /// - Parameter deadline: When the caller stops waiting, for each of them.
  public override func shutdown(deadline: ContinuousClock.Instant) async {
    await parts.shutdown(deadline: deadline)
  }

  /// Counts a place for each of them.
  override func adjust(places change: Int, ofProcess: Bool) {
    for analytics in all { analytics.adjust(places: change, ofProcess: ofProcess) }
  }
}

extension MultiAnalytics: ServiceGroup {
  var members: [any AmbientService] { all }
}
