public import Ambient
internal import AmbientHTTP

/// Analytics that put events into a queue, from which they are brought to a server.
///
/// Every collector is a subclass that gives a ``Destination``. `track` returns when the event
/// stands in the queue, which survives the death of the process; it never waits for the network.
/// Delivery is at least once: an event that comes twice has the same identity. Time is that of the
/// scope in which the collector was made. Safe to use from any thread.
open class QueuedAnalytics: Analytics, @unchecked Sendable {
  /// A destination of somebody's own may have secrets that a debugger or `dump` would show.
  private let hidden: Secret<Delivery>
  private var delivery: Delivery { hidden.wrappedValue }

  /// Analytics that bring what stands in `queue` to `destination`.
  ///
  /// - Parameters:
  ///   - destination: What knows the server: its requests, and what its answers mean.
  ///   - queue: Where events wait until the server has them.
  ///   - upload: How often, how much at once and how long it is tried.
  ///   - transport: What carries requests; nil for the network.
  /// - Throws: ``CollectorError`` if another collector has the queue.
  public init(
    _ destination: any Destination, queue: EventQueue, upload: UploadOptions = UploadOptions(),
    transport: (any Transport)? = nil
  ) throws(CollectorError) {
    hidden = Secret(
      wrappedValue: try Delivery(destination, queue: queue, upload: upload, transport: transport))
    super.init()
  }

  init(_ delivery: Delivery) {
    hidden = Secret(wrappedValue: delivery)
    super.init()
  }

  /// Where the events wait.
  public final var queue: EventQueue { delivery.queue }

  /// Whether events are wanted: not while consent is denied.
  open override var isEnabled: Bool { delivery.isTaking }

  /// Puts the event into the queue, with what is private hidden.
  ///
  /// - Parameter event: The event; one for which the queue has no room is lost, and counted.
  public final override func record(_ event: TrackedEvent) {
    guard event.isAnonymousOfProgram, queue.identity.hasAnonymous else {
      return delivery.put { event.append(to: $0) }
    }
    delivery.put { event.with(anonymousID: queue.anonymousID).append(to: $0) }
  }

  /// The program's user as the queue's folder has it.
  public final override var keptUser: AnalyticsUser? { queue.identity.user }

  /// Keeps the program's user in the queue's folder, until it is another, nobody (`reset`), erased,
  /// or consent is denied.
  ///
  /// - Parameter user: The user from now on; nil for none.
  public final override func keep(_ user: AnalyticsUser?) { delivery.keep(user) }

  /// Sends what waits as soon as may be; does not wait for it.
  public final override func flush() { delivery.flush() }

  /// Delivers what can be delivered by the deadline; the rest waits in the queue for another start.
  ///
  /// A server that fails is asked ten times in a row at most, after waits that grow up to a quarter
  /// of the time that is left. Events that are tracked after this
  /// are lost, and counted.
  ///
  /// - Parameter deadline: The instant by which this returns.
  public final override func shutdown(deadline: ContinuousClock.Instant) async {
    await delivery.shutdown(deadline: deadline)
  }

  /// How many events will not be delivered, though they were tracked and nobody withheld them.
  public final override var lostEvents: Int { status.lost.values.reduce(0, +) }

  /// Removes that user's events, those that wait and those that were refused, and the user itself
  /// where the queue's folder keeps it: with its anonymous identity, and the events of that without
  /// another user.
  ///
  /// What is being sent at this moment may still arrive.
  ///
  /// - Parameter user: The identity, as it was given to `Analytics`.
  /// - Returns: How many events were removed.
  @discardableResult
  public final func erase(user: AnalyticsUser.ID) -> Int {
    let anonymousID = queue.identity.erase(user)
    return delivery.erase { record in
      guard let owner = TrackedEvent.owner(inJSON: record.bytes) else { return false }
      if let other = owner.user { return other.id == user }
      return anonymousID != nil && owner.anonymousID == anonymousID
    }
  }

  /// What waits, what was delivered and what was lost, and why.
  public final var status: DeliveryStatus { delivery.status }

  /// How many fields and events were sent otherwise than they were tracked, by the name of the
  /// rule (``EventRule``); none where nothing is changed, as by ``HTTPAnalytics``. An event that is
  /// prepared again, since the queue changed, counts once.
  public final var amendments: [String: Int] { delivery.amendments }
}

extension QueuedAnalytics: CustomStringConvertible {
  /// What reports call the collector: its type, and where it sends to.
  public var description: String { delivery.name }
}
