// SPDX-License-Identifier: Apache-2.0

/// Analytics that store events in memory, so that tests can read the events.
public final class AnalyticsRecorder: Analytics, @unchecked Sendable {
  private let kept = Guarded<[TrackedEvent]>([])

  /// The current recorder, set for example by the trait `.analytics(AnalyticsRecorder())`.
  ///
  /// - Throws: ``NoRecorderError`` if the current analytics are not a recorder.
  public static var current: AnalyticsRecorder {
    get throws(NoRecorderError) { try NoRecorderError.check(instance) }
  }

  /// The tracked events without their identities and times, oldest first.
  ///
  /// Each event has only the user that the event itself names. ``trackedEvents`` also have the
  /// current user.
  public var events: [Event] { trackedEvents.map(\.event) }

  /// The tracked events with identities and times, oldest first.
  public var trackedEvents: [TrackedEvent] { kept.withLock { $0 } }

  /// The names of the tracked events, oldest first.
  public var names: [String] { trackedEvents.map(\.event.name) }

  /// Stores the event.
  ///
  /// - Parameter event: The event.
  public override func record(_ event: TrackedEvent) { kept.withLock { $0.append(event) } }
}
