internal import Synchronization

/// What users do: an ambient context whose default discards it.
///
/// ```swift
/// Analytics.track(.purchase(order))
/// ```
///
/// An event is made, and stamped with an identity and the time, only if the analytics in force
/// want events. Subclasses override ``record(_:)``; most programs need none:
/// `Analytics.instance = .calling { event in … }`. Safe to use from any thread.
open class Analytics: AmbientService, @unchecked Sendable {
  static let context = AmbientContext<Analytics>(
    "Analytics", default: { NoAnalytics() },
    inForce: { analytics, change, ofProcess in
      guard let analytics else { return }
      // The context has no services but analytics.
      unsafeDowncast(analytics, to: Analytics.self).adjust(places: change, ofProcess: ofProcess)
    })
  private static let nesting = RecursionLimit(source: "Analytics")

  /// The analytics in force here. Assign them at the start of the program, or in a scope.
  public static var instance: Analytics {
    get { context.instance }
    // Inlined, so that whoever assigns stays on the stack for a report.
    @inlinable set { if let late = assign(newValue) { late.report() } }
  }

  /// Tracks an event with the analytics in force here.
  ///
  /// Inlinable, so that an event that nobody wants is not even prepared by the caller.
  @inlinable
  public static func track(_ event: @autoclosure () -> Event) {
    // Retained for the call, since making the event may take long or replace the instance.
    if isWanted { instance.track(event()) }
  }

  /// Tracks an event of that name with the analytics in force here.
  ///
  /// For an event that more than one place tracks, declare an ``Event``.
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

  /// How many events of the whole process were lost because they were tracked while making or
  /// recording another one, eight deep: by a handler that tracks what it is handed, for example.
  public static var eventsLostInRecursion: Int { nesting.lostCalls }

  /// Runs `body` with `analytics` bound for this task and those that it starts.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ analytics: Analytics, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(analytics), body)
  }

  /// Runs `body` with `analytics` bound for this task and those that it starts.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ analytics: Analytics, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(analytics), body)
  }

  /// Puts a new ``NoAnalytics`` in the place of the instance in force here.
  ///
  /// As an assignment does: one that comes late is reported.
  @inlinable
  public static func resetToDefault() { if let late = assignDefault() { late.report() } }

  @usableFromInline
  static func assignDefault() -> LateAssignment? { context.assignDefault() }

  @usableFromInline
  static func assign(_ analytics: Analytics) -> LateAssignment? { context.assign(analytics) }

  @usableFromInline
  static func binding(_ analytics: Analytics) -> Bindings { context.binding(analytics) }

  /// Analytics that call `handler` for each event, on the caller's thread.
  public static func calling(_ handler: @escaping @Sendable (TrackedEvent) -> Void) -> Analytics {
    CallingAnalytics(handler)
  }

  /// In how many places these analytics are in force.
  private let places = Atomic<Int>(0)
  /// Whether they were ever the process's.
  private let isKeptForGood = Atomic<Bool>(false)

  /// Makes analytics that discard events.
  public init() {}

  /// Whether events are wanted: always, unless a subclass says otherwise, as ``NoAnalytics`` does.
  open var isEnabled: Bool { true }

  /// How many events could not be recorded, because the disk was full or nobody read; none unless a
  /// subclass counts some.
  open var lostEvents: Int { 0 }

  /// Whether it is meant that these analytics discard events, so that nothing is reported.
  open var discardsEvents: Bool { type(of: self) == Analytics.self }

  /// Takes one event; on the thread of the caller, who waits. The base class discards it, which is
  /// reported once for each class that does not override this.
  open func record(_ event: TrackedEvent) {
    guard !discardsEvents else { return }
    DiscardedWork.report(
      by: type(of: self), "events", overriding: "record(_ event: TrackedEvent)",
      silencedBy: "discardsEvents")
  }

  /// Delivers what is held back. The base class holds nothing.
  open func flush() {}

  /// Delivers what is held back, and ends what was started, by the deadline.
  open func shutdown(deadline: ContinuousClock.Instant) async { flush() }

  /// Notes that these analytics came into force, or ceased to be in force, in so many places.
  ///
  /// Those that are in force nowhere any more deliver what they hold. If the process keeps them for
  /// good, they also let go of what they need only in force.
  func adjust(places change: Int, ofProcess: Bool) {
    if ofProcess { isKeptForGood.store(true, ordering: .relaxed) }
    let count = places.wrappingAdd(change, ordering: .acquiringAndReleasing)
    if count.newValue == 0 { flush() }
    guard isKeptForGood.load(ordering: .relaxed) else { return }
    sink?.keepOpen { self.places.load(ordering: .acquiring) > 0 }
  }

  /// Where lines go, for the analytics that write some.
  var sink: LineSink? { nil }

  /// Tracks an event with these analytics, if they want events.
  public final func track(_ event: @autoclosure () -> Event) {
    guard isEnabled else { return }
    Analytics.nesting.descend(.analytics) {
      let date = Time.now
      take(TrackedEvent.tracked(event(), at: date))
    }
  }

  /// Tracks an event of that name with these analytics, if they want events.
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

  /// Records the event, and gives its memory back.
  ///
  /// Not inlined: where the parts of the event are known one by one, the compiler retains each of
  /// them over the call.
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

/// Analytics that want no events.
public final class NoAnalytics: Analytics, @unchecked Sendable {
  /// Never.
  public override var isEnabled: Bool { false }

  /// Always: what is recorded directly is discarded, too.
  public override var discardsEvents: Bool { true }
}
