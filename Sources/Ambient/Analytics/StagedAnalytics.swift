internal import Synchronization

/// Analytics that hand events on through stages.
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

  /// How many events the stages withheld: on purpose, so they are not among ``lostEvents``.
  public var withheldEvents: Int { withheld.load(ordering: .relaxed) }

  /// Whether what stands behind the stages wants events.
  public override var isEnabled: Bool { base.isEnabled }

  /// Hands on what the stages make of the event.
  public override func record(_ event: TrackedEvent) {
    guard base.isEnabled else { return }
    if let event = stage(event) {
      base.record(event)
    } else {
      withheld.add(1, ordering: .relaxed)
    }
  }

  /// How many events could not be recorded behind the stages.
  public override var lostEvents: Int { base.lostEvents }

  /// Flushes what stands behind the stages.
  public override func flush() { base.flush() }

  /// Stops what stands behind the stages.
  public override func shutdown(deadline: ContinuousClock.Instant) async {
    await base.shutdown(deadline: deadline)
  }

  /// Its places are those of what stands behind the stages.
  override func adjust(places change: Int, ofProcess: Bool) {
    base.adjust(places: change, ofProcess: ofProcess)
  }
}

extension StagedAnalytics: ServiceGroup {
  var members: [any AmbientService] { [base] }
}

extension Analytics {
  /// These analytics behind stages, which events go through in that order.
  public func through(_ stages: EventStage...) -> StagedAnalytics { through(stages) }

  /// These analytics behind stages, which events go through in that order.
  public func through(_ stages: [EventStage]) -> StagedAnalytics {
    StagedAnalytics(self, stages.reduce(EventStage { $0 }) { $0.then($1) })
  }
}
