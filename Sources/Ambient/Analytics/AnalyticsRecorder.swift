/// Analytics that keep events in memory, for tests to look at.
public final class AnalyticsRecorder: Analytics, @unchecked Sendable {
  private let kept = Guarded<[TrackedEvent]>([])

  /// What was tracked, oldest first, as it was given.
  public var events: [Event] { trackedEvents.map(\.event) }

  /// What was tracked, oldest first, with identities and times.
  public var trackedEvents: [TrackedEvent] { kept.withLock { $0 } }

  /// Keeps the event.
  public override func record(_ event: TrackedEvent) { kept.withLock { $0.append(event) } }
}
