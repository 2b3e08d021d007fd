// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Analytics that pass each event through stages, and then to other analytics, the base analytics.
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

  /// The number of events that the stages of these analytics dropped.
  ///
  /// ``lostEvents`` excludes these events, because stages drop events on purpose.
  public var withheldEvents: Int { withheld.load(ordering: .relaxed) }

  /// Whether the base analytics want events.
  public override var isEnabled: Bool { base.isEnabled }

  /// The user that the base analytics have stored; nil if they have stored none.
  public override var storedUser: AnalyticsUser? { base.storedUser }

  /// Makes the base analytics store the user.
  ///
  /// - Parameter user: The user that was assigned; nil for none.
  public override func store(_ user: AnalyticsUser?) { base.store(user) }

  /// Passes the event through the stages to the base analytics, if they want events.
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

  /// The number of events that the base analytics could not record.
  public override var lostEvents: Int { base.lostEvents }

  /// Flushes the base analytics.
  public override func flush() { base.flush() }

  /// Stops the base analytics.
  ///
  /// - Parameter deadline: The instant at which the caller stops waiting.
  public override func shutdown(deadline: ContinuousClock.Instant) async {
    await base.shutdown(deadline: deadline)
  }
}

extension StagedAnalytics: ServiceGroup {
  var members: [any AmbientService] { [base] }
}

extension Analytics {
  /// Creates analytics that pass each event through the stages, in order, and then to these
  /// analytics.
  ///
  /// - Parameter stages: The stages. If a stage drops an event, no later stage gets the event, and
  ///   it is not recorded.
  public func through(_ stages: EventStage...) -> StagedAnalytics { through(stages) }

  /// Creates analytics that pass each event through the stages, in order, and then to these
  /// analytics.
  ///
  /// - Parameter stages: The stages. If a stage drops an event, no later stage gets the event, and
  ///   it is not recorded.
  public func through(_ stages: [EventStage]) -> StagedAnalytics {
    StagedAnalytics(self, stages.reduce(EventStage { $0 }) { $0.then($1) })
  }
}
