/// Analytics that hand each event to several others, with one identity and one time.
public final class MultiAnalytics: Analytics, @unchecked Sendable {
  private let all: [Analytics]

  /// Analytics that hand events to each, in that order.
  public convenience init(_ analytics: Analytics...) { self.init(analytics) }

  /// Analytics that hand events to `all`, in that order.
  public init(_ all: [Analytics]) { self.all = all }

  /// Whether one of them wants events.
  public override var isEnabled: Bool { all.contains { $0.isEnabled } }

  /// Hands the event to those that want events.
  public override func record(_ event: TrackedEvent) {
    for analytics in all where analytics.isEnabled { analytics.record(event) }
  }

  /// How many events they could not record, taken together.
  public override var lostEvents: Int { all.reduce(0) { $0 + $1.lostEvents } }

  /// Flushes each.
  public override func flush() { for analytics in all { analytics.flush() } }

  /// Stops all at once: one whose server hangs costs the others none of their time.
  public override func shutdown(deadline: ContinuousClock.Instant) async {
    await parts.shutdown(deadline: deadline)
  }

  /// Its places are theirs.
  override func adjust(places change: Int, ofProcess: Bool) {
    for analytics in all { analytics.adjust(places: change, ofProcess: ofProcess) }
  }
}

extension MultiAnalytics: ServiceGroup {
  var members: [any AmbientService] { all }
}
