internal import Synchronization

/// The events of users' actions: an ambient context whose default discards them.
///
/// ```swift
/// Analytics.track(.purchase(order))
/// ```
///
/// An event is made, and stamped with an identity and the time, only if the analytics in force want
/// events. Subclasses override ``record(_:)``; most programs need none: `Analytics.instance =
/// .calling { event in … }`. Safe to use from any thread.
open class Analytics: AmbientService, @unchecked Sendable {
  static let context = AmbientContext<Analytics>(
    "Analytics", default: { NoAnalytics() },
    inForce: { analytics, change, ofProcess in
      guard let analytics else { return }
      // Safe downcast: this context holds only analytics.
      unsafeDowncast(analytics, to: Analytics.self).adjust(places: change, ofProcess: ofProcess)
    })
  private static let nesting = RecursionLimit(source: "Analytics")

  /// The analytics in force here. Assign them at the start of the program, or in a scope.
  public static var instance: Analytics {
    get { context.instance }
    // Inlined, so that the assigning function stays on the stack for a report.
    @inlinable set { if let late = assign(newValue) { late.report() } }
  }

  /// Tracks an event with the analytics in force here.
  ///
  /// Inlinable, so that the caller does not even prepare an event that is not wanted.
  ///
  /// - Parameter event: The event; made only if the analytics in force want events.
  @inlinable
  public static func track(_ event: @autoclosure () -> Event) {
    // Retained for the call, since making the event may take long or replace the instance.
    if isWanted { instance.trackWanted(event()) }
  }

  /// Tracks an event of that name with the analytics in force here.
  ///
  /// For an event that more than one place tracks, declare an ``Event``.
  ///
  /// - Parameters:
  ///   - name: The name, in lower case with underscores by custom, such as `sign_up`.
  ///   - properties: The event's properties; nil values are left out.
  @inlinable
  public static func track(
    _ name: @autoclosure () -> String, _ properties: @autoclosure () -> AmbientFields = [:]
  ) {
    track(Event(name(), properties()))
  }

  @available(
    *, unavailable,
    message: "write AmbientFields(dictionary), and values as .error(e), AmbientValue(describing: x)"
  )
  public static func track(_ name: String, _ properties: [String: Any]) {}

  @usableFromInline
  static var isWanted: Bool { context.withService { $0.isEnabled } }

  /// The number of events of the whole process lost to recursion.
  ///
  /// An event is lost if it is tracked while making or recording another one, eight deep: by a
  /// handler that tracks what it receives, for example.
  public static var eventsLostInRecursion: Int { nesting.lostCalls }

  /// Runs `body` with `analytics` bound for this task and those that it starts.
  ///
  /// - Parameters:
  ///   - analytics: The analytics that get the events of the scope.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ analytics: Analytics, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(analytics), body)
  }

  /// Runs `body` with `analytics` bound for this task and those that it starts.
  ///
  /// - Parameters:
  ///   - analytics: The analytics that get the events of the scope.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ analytics: Analytics, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(analytics), body)
  }

  /// Assigns a new ``NoAnalytics`` in place of the instance in force here; a late one is reported.
  @inlinable
  public static func resetToDefault() { if let late = assignDefault() { late.report() } }

  @usableFromInline
  static func assignDefault() -> LateAssignment? { context.assignDefault() }

  @usableFromInline
  static func assign(_ analytics: Analytics) -> LateAssignment? { context.assign(analytics) }

  @usableFromInline
  static func binding(_ analytics: Analytics) -> Bindings { context.binding(analytics) }

  /// Analytics that call `handler` for each event, on the caller's thread.
  ///
  /// - Parameter handler: Called for each event, by any thread and by several at once.
  public static func calling(_ handler: @escaping @Sendable (TrackedEvent) -> Void) -> Analytics {
    CallingAnalytics(handler)
  }

  /// The number of places where these analytics are in force.
  private let places = Atomic<Int>(0)
  /// Whether these analytics were ever the process's instance: the process never frees those.
  private let isKeptForGood = Atomic<Bool>(false)

  /// Makes analytics that discard events.
  public init() {}

  /// Whether events are wanted: true, unless a subclass overrides it, as ``NoAnalytics`` does.
  open var isEnabled: Bool { true }

  /// The number of events that could not be recorded, for a full disk or a missing reader; zero
  /// unless a subclass counts them.
  open var lostEvents: Int { 0 }

  /// Whether these analytics discard events by design, so that no report is made.
  open var discardsEvents: Bool { type(of: self) == Analytics.self }

  /// The program's user as these analytics have kept it from an earlier start; nil unless a
  /// subclass keeps one. Events belong to it as long as the program has assigned none.
  open var keptUser: AnalyticsUser? { nil }

  /// Keeps the program's user across starts.
  ///
  /// Called for the analytics in force where ``user`` is assigned, and for those that come into
  /// force later, but not for users of `withUser`. The base class keeps none.
  ///
  /// - Parameter user: The user that was assigned; nil after ``reset()``.
  open func keep(_ user: AnalyticsUser?) {}

  /// Takes one event, on the calling thread, which waits.
  ///
  /// The base class discards it, and reports that once for each class that does not override this.
  ///
  /// - Parameter event: The event with its identity, its instant and its user; no other call gets
  ///   this event.
  open func record(_ event: TrackedEvent) {
    guard !discardsEvents else { return }
    DiscardedWork.report(
      by: type(of: self), "events", overriding: "record(_ event: TrackedEvent)",
      silencedBy: "discardsEvents")
  }

  /// Delivers pending events. The base class has none.
  open func flush() {}

  /// Delivers pending events and stops background work, by the deadline.
  ///
  /// - Parameter deadline: The instant at which the caller stops waiting.
  open func shutdown(deadline: ContinuousClock.Instant) async { flush() }

  /// Adds `change` to the number of places where these analytics are in force.
  ///
  /// At zero they flush; if the process keeps them for good, their sink also closes its file, which
  /// a later line opens again.
  func adjust(places change: Int, ofProcess: Bool) {
    if ofProcess { isKeptForGood.store(true, ordering: .relaxed) }
    let count = places.wrappingAdd(change, ordering: .acquiringAndReleasing)
    if count.newValue == 0 { flush() }
    if change > 0, let identity = AnalyticsIdentity.context.assigned, !identity.isOfPart,
      identity.user != keptUser
    {
      keep(identity.user)
    }
    guard isKeptForGood.load(ordering: .relaxed) else { return }
    sink?.keepOpen { self.places.load(ordering: .acquiring) > 0 }
  }

  /// The sink of lines, for subclasses that write lines.
  var sink: LineSink? { nil }

  /// Tracks an event with these analytics, if they want events.
  ///
  /// - Parameter event: The event; made only if these analytics want events.
  public final func track(_ event: @autoclosure () -> Event) {
    if isEnabled { trackWanted(event()) }
  }

  /// Tracks an event after these analytics have answered that they want events. Asking them again
  /// would cost another look at the consent, for analytics with a queue.
  @usableFromInline
  final func trackWanted(_ event: @autoclosure () -> Event) {
    Analytics.nesting.descend(.analytics) {
      let date = Time.now
      take(TrackedEvent.tracked(event(), at: date, by: self))
    }
  }

  /// Tracks an event of that name with these analytics, if they want events.
  ///
  /// - Parameters:
  ///   - name: The name, in lower case with underscores by custom, such as `sign_up`.
  ///   - properties: The event's properties; nil values are left out.
  public final func track(
    _ name: @autoclosure () -> String, _ properties: @autoclosure () -> AmbientFields = [:]
  ) {
    track(Event(name(), properties()))
  }

  @available(
    *, unavailable,
    message: "write AmbientFields(dictionary), and values as .error(e), AmbientValue(describing: x)"
  )
  public final func track(_ name: String, _ properties: [String: Any]) {}

  /// Records the event, then returns its memory to the thread.
  ///
  /// Not inlined: where the compiler knows the parts of the event, it retains each across the call.
  @inline(never)
  private func take(_ event: TrackedEvent) {
    record(event)
    event.giveBack()
  }
}

private final class CallingAnalytics: Analytics, @unchecked Sendable {
  private let handler: @Sendable (TrackedEvent) -> Void

  init(_ handler: @escaping @Sendable (TrackedEvent) -> Void) { self.handler = handler }

  override func record(_ event: TrackedEvent) { handler(event) }
}

/// Analytics that discard all events.
public final class NoAnalytics: Analytics, @unchecked Sendable {
  /// Always false.
  public override var isEnabled: Bool { false }

  /// Always true: events recorded directly are discarded, too.
  public override var discardsEvents: Bool { true }
}
