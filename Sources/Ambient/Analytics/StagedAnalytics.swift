internal import Synchronization

/// Analytics that pass events through stages to other analytics.
///
/// ```swift
/// Analytics.instance = analytics.through(.enriching(["app": "shop"]), .redacting("mail"))
/// ```
public final class StagedAnalytics: Analytics, @unchecked Sendable {
  private let base: Analytics
  private let stage: EventStage
  private let withheld = Atomic<Int>(0)

  fileprivate init(_ base: Analytics, _ stage: EventStage) {
    self.base = base
    self.stage = stage
  }

  /// The number of events that stages dropped. They were dropped on purpose, so ``lostEvents``
  /// excludes them.
  public var withheldEvents: Int { withheld.load(ordering: .relaxed) }

  /// Whether the analytics behind the stages want events.
  public override var isEnabled: Bool { base.isEnabled }

  /// The user that the analytics behind the stages have stored.
  public override var keptUser: AnalyticsUser? { base.keptUser }

  /// Makes the analytics behind the stages store the user.
  ///
  /// - Parameter user: The user that was assigned; nil for none.
  public override func keep(_ user: AnalyticsUser?) { base.keep(user) }

  /// Passes the event through the stages, and records the result.
  ///
  /// - Parameter event: The event before the first stage.
  public override func record(_ event: TrackedEvent) {
    guard base.isEnabled else { return }
    if let event = stage(event) {
      base.record(event)
    } else {
      withheld.add(1, ordering: .relaxed)
    }
  }

  /// The number of events that the analytics behind the stages could not record.
  public override var lostEvents: Int { base.lostEvents }

  /// Flushes the analytics behind the stages.
  public override func flush() { base.flush() }

  /// Stops the analytics behind the stages.
  ///
  /// - Parameter deadline: The instant at which the caller stops waiting.
  public override func shutdown(deadline: ContinuousClock.Instant) async {
    await base.shutdown(deadline: deadline)
  }

  /// Counts each place of this object as a place of the analytics behind the stages.
  override func adjust(places change: Int, ofProcess: Bool) {
    base.adjust(places: change, ofProcess: ofProcess)
  }
}

extension StagedAnalytics: ServiceGroup {
  var members: [any AmbientService] { [base] }
}

extension Analytics {
  /// These analytics behind stages; each event passes through the stages in order.
  ///
  /// - Parameter stages: The stages; an event that one of them drops goes no further.
  public func through(_ stages: EventStage...) -> StagedAnalytics { through(stages) }

  /// These analytics behind stages; each event passes through the stages in order.
  ///
  /// - Parameter stages: The stages; an event that one of them drops goes no further.
  public func through(_ stages: [EventStage]) -> StagedAnalytics {
    StagedAnalytics(self, stages.reduce(EventStage { $0 }) { $0.then($1) })
  }
}
