// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// Analytics that put events into a queue and upload them to a server.
///
/// Every collector of events is a subclass, which passes an ``EventDestination`` to the
/// initializer. `track` never waits for the network. It returns once the event is in the queue's
/// file, which survives the death of the process. Delivery is at least once: an event that arrives
/// twice has the same identity. Uploads use the `Time` of the scope in which the collector was
/// made. Safe to use from any thread.
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
  ///   - upload: When events are uploaded, and how often a failed request is repeated.
  ///   - transport: The transport that sends the requests; nil for the network.
  /// - Throws: ``CollectorError`` if another collector uses the queue, or if `transport` is nil and
  ///   the program cannot use HTTP.
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
  /// It stays true after a shutdown; events tracked then are lost, and counted.
  public final override var isEnabled: Bool { delivery.isAccepting }

  /// Appends the event to the queue; private values are hidden.
  ///
  /// - Parameter event: The event; it is lost, and counted, if it is too long for the queue, or if
  ///   the queue is closed.
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
  /// of consent.
  ///
  /// - Parameter user: The user from now on; nil for none.
  public final override func store(_ user: AnalyticsUser?) { delivery.keep(user) }

  /// Starts an upload of the waiting events; returns at once.
  ///
  /// After a request without an answer, a flush ends the pause before the next attempt, at most
  /// once a second. A pause after a server's answer continues. While consent is missing, events
  /// wait.
  public final override func flush() { delivery.flush() }

  /// Uploads waiting events until the deadline; the rest stays in the queue for the next start.
  ///
  /// After ten failed attempts in a row, the upload stops. The waits between attempts grow, up to a
  /// quarter of the remaining time. Events tracked after the shutdown are lost, and counted.
  ///
  /// - Parameter deadline: The instant by which this method returns.
  public final override func shutdown(deadline: ContinuousClock.Instant) async {
    await delivery.shutdown(deadline: deadline)
  }

  /// The number of events that were tracked and will not be delivered; events withheld on purpose
  /// are not counted.
  public final override var lostEvents: Int { status.lost.values.reduce(0, +) }

  /// Removes a user's waiting and refused events.
  ///
  /// If the folder stores this user as the program's user, the stored user and the anonymous
  /// identity are also removed, together with the events that have this anonymous identity but no
  /// user.
  ///
  /// A request that is under way may still deliver some of these events.
  ///
  /// - Parameter user: The user's id, as it was passed to `Analytics`.
  /// - Returns: The number of removed events.
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

  /// The number of changed fields and events, by the name of the rule (``EventRule``).
  ///
  /// An event that is read from the queue again, for example after a failed upload, counts once.
  public final var amendments: [String: Int] { delivery.amendments }
}

extension QueuedAnalytics: CustomStringConvertible {
  /// The collector's name, as in reports.
  public var description: String { delivery.name }
}
