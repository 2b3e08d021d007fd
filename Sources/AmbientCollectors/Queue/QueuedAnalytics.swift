// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// Analytics that put events into a queue and upload them to a server.
///
/// Every collector of events is a subclass, which passes an ``EventDestination`` to the
/// initializer. `track` never waits for the network. It returns once the event is in the queue's
/// file, or is lost or withheld (`record`). The file survives the death of the process. An event
/// may arrive twice, with the same identity. Uploads use the `Time` of the scope in which the
/// collector was made. Safe to use from any thread.
nonisolated open class QueuedAnalytics: Analytics, @unchecked Sendable {
  /// The delivery. It is hidden from debuggers and `dump`, because a program's own destination may
  /// hold secrets as plain text.
  private let hidden: Secret<CollectorEngine>
  private var delivery: CollectorEngine { hidden.wrappedValue }

  /// Creates analytics that upload the events of a queue to a destination.
  ///
  /// - Parameters:
  ///   - destination: Creates the requests to the server, and judges the server's answers.
  ///   - queue: The queue of waiting events.
  ///   - upload: The times and sizes of uploads, the repetition of failed requests, and the limits
  ///     of a request.
  ///   - transport: The transport that sends the requests; nil for a new ``CollectorClient``.
  /// - Throws: ``CollectorError`` if a collector uses this queue or has used it before, or if
  ///   `transport` is nil and the program cannot use HTTP.
  public init(
    _ destination: any EventDestination, queue: EventQueue, upload: UploadOptions = UploadOptions(),
    transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) {
    hidden = Secret(
      wrappedValue: try CollectorEngine(
        destination, queue: queue, upload: upload, transport: transport))
    super.init()
  }

  init(_ delivery: CollectorEngine) {
    hidden = Secret(wrappedValue: delivery)
    super.init()
  }

  deinit { delivery.close() }

  /// The queue of waiting events.
  package final var queue: EventQueue { delivery.queue }

  /// Whether events are wanted: false while consent is denied or the collector is off.
  ///
  /// A shutdown does not change this value; events tracked after a shutdown are lost, and counted.
  public final override var isEnabled: Bool { delivery.isAccepting }

  /// Appends the event to the queue; private values are hidden.
  ///
  /// - Parameter event: The event. It is lost, and counted, if it is too long for the queue, if the
  ///   queue is closed, or if this process was forked after it opened the queue. It is
  ///   withheld if consent is denied or the collector is off (``DeliveryStatus/withheld``).
  public final override func record(_ event: TrackedEvent) {
    guard event.isAnonymousOfProgram, queue.identity.hasAnonymous else {
      return delivery.put { event.append(to: $0) }
    }
    delivery.put { event.with(anonymousID: queue.anonymousID).append(to: $0) }
  }

  /// The program's user, as stored in the queue's folder; nil if the folder has none.
  public final override var storedUser: AnalyticsUser? { queue.identity.user }

  /// Stores the program's user in the queue's folder.
  ///
  /// The user stays there until another user is stored, or until `reset`, an erasure, or a denial
  /// of consent. The call is ignored while consent is denied, and after a shutdown. A collector
  /// that is off stores no user, but removes another one. A call with another user, or with nil,
  /// also discards the anonymous identity.
  ///
  /// - Parameter user: The user from now on; nil for none.
  public final override func store(_ user: AnalyticsUser?) { delivery.keep(user) }

  /// Starts an upload of the waiting events; returns at once.
  ///
  /// After a request without an answer, a flush ends the pause before the next attempt, at most
  /// once a second. A pause after a server's answer continues. While the `Time` stands still, a
  /// flush ends any pause. While consent is missing or the collector is off, events wait. Events in
  /// ``DeliveryStatus/setAside`` wait for their own time.
  public final override func flush() { delivery.flush() }

  /// Uploads waiting events until the deadline; the rest stays in the queue for the next start.
  ///
  /// The upload stops after ten failed attempts in a row, after an answer that means that the
  /// set-up is at fault (``DeliveryVerdict/turnedAway(_:detail:)``), if the server refuses all
  /// events of a batch, if it asks for a wait beyond the deadline, or at the first failure while
  /// the `Time` stands still. The waits that the collector chooses grow, up to a quarter of the
  /// remaining time. While consent is missing or the collector is off, nothing is uploaded. Events
  /// in ``DeliveryStatus/setAside`` are sent only if their own time has come. Events tracked after
  /// the shutdown are lost, and counted.
  ///
  /// - Parameter deadline: The instant by which this method returns, if the transport ends when its
  ///   task is cancelled.
  public final override func shutdown(deadline: ContinuousClock.Instant) async {
    await delivery.shutdown(deadline: deadline)
  }

  /// The sum of ``DeliveryStatus/lost``; events withheld on purpose are not counted.
  ///
  /// Refused events count as lost, although ``EventQueue/retryRefused(in:)`` can move them back.
  public final override var lostEvents: Int { status.lost.values.reduce(0, +) }

  /// Removes a user's waiting and refused events.
  ///
  /// If the folder stores this user as the program's user, the stored user and the anonymous
  /// identity are also removed, together with the events that have this anonymous identity but no
  /// user.
  ///
  /// A request that is under way may still deliver some of these events. `Analytics.user` stays
  /// assigned: after the erasure of the current user, call `Analytics.reset()`. After a shutdown,
  /// nothing is removed.
  ///
  /// - Parameter user: The user's id, as it was passed to `Analytics`.
  /// - Returns: The number of removed waiting and refused events.
  @discardableResult
  public final func erase(user: AnalyticsUser.ID) -> Int {
    let anonymousID = queue.identity.erase(user)
    return delivery.erase { record in
      guard let owner = TrackedEvent.owner(inJSON: record.bytes) else { return false }
      if let other = owner.user { return other.id == user }
      return anonymousID != nil && owner.anonymousID == anonymousID
    }
  }

  /// The numbers of waiting, delivered and lost events, with the reasons for losses.
  public final var status: DeliveryStatus { delivery.status }

  /// The number of problems in events that were prepared for sending, by the name of the rule.
  ///
  /// A problem is a field or event that was changed, or that breaks a rule and is sent unchanged
  /// (``EventRule``). Problems of events that a rule refuses are not counted. An event that is
  /// prepared again, for example after a failed upload, counts once, unless 10,000 other problems
  /// were counted meanwhile. With a destination of your own, this is its
  /// ``EventDestination/amendments``.
  public final var amendments: [String: Int] { delivery.amendments }
}

extension QueuedAnalytics: CustomStringConvertible {
  /// The collector's name, as in reports.
  public var description: String { delivery.name }
}
