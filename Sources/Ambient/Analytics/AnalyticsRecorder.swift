/// Analytics that keep events in memory, for tests to look at.
public final class AnalyticsRecorder: Analytics, @unchecked Sendable {
  private let kept = Guarded<[TrackedEvent]>([])

  /// The recorder in force here, as the trait `.analytics(AnalyticsRecorder())` puts one in force.
  ///
  /// - Throws: ``NoRecorderError`` if other analytics are in force.
  public static var current: AnalyticsRecorder {
    get throws(NoRecorderError) { try NoRecorderError.check(instance) }
  }

  /// What was tracked, oldest first, as it was given.
  public var events: [Event] { trackedEvents.map(\.event) }

  /// What was tracked, oldest first, with identities and times.
  public var trackedEvents: [TrackedEvent] { kept.withLock { $0 } }

  /// Keeps the event.
  public override func record(_ event: TrackedEvent) { kept.withLock { $0.append(event) } }
}
