// SPDX-License-Identifier: Apache-2.0

/// Tracks events, which describe the actions of users.
///
/// The default analytics discard all events.
///
/// ```swift
/// Analytics.track(.purchase(order))
/// ```
///
/// An event is created, with an identity and the time, only if the analytics want events. If calls
/// of `track` are nested more than eight deep on one thread, the event is lost, and the first such
/// loss is reported to ``Diagnostics``. Subclasses override ``record(_:)``. Most programs need no
/// subclass: they assign `Analytics.instance = .calling { event in … }`. The static members that a
/// subclass inherits use the current analytics: `NoAnalytics.track("x")` tracks with these.
/// Analytics can be used from any thread.
nonisolated open class Analytics: AmbientService, @unchecked Sendable {
  static let context = AmbientContext<Analytics>(
    "Analytics", default: { NoAnalytics() }, onInstallation: Analytics.noteInstallation)
  private static let nesting = RecursionLimit(source: "Analytics")

  /// The current analytics: those of the innermost scope that binds analytics, or else those of the
  /// process.
  ///
  /// Assign them at the start of the program, or in a scope. ``AmbientContext/instance`` describes
  /// the effects of a first read and of a later assignment.
  public static var instance: Analytics {
    get { context.instance }
    // The setter is inlined, because a tail call to a separate setter would remove the assigning
    // function's frame from the stack before `assign` captures its callers.
    @inlinable set { if let late = assign(newValue) { late.report() } }
  }

  /// Tracks an event with the current analytics.
  ///
  /// This method is inlinable, so that callers create no event if the current analytics want none.
  ///
  /// - Parameter event: The event, which is created only if the current analytics want events.
  @inlinable
  public static func track(_ event: @autoclosure () -> Event) {
    // `instance` is retained for the call, because the code that makes the event may take long, or
    // may assign another instance.
    if isWanted { instance.trackWanted(event()) }
  }

  /// Tracks an event called `name` with the current analytics.
  ///
  /// If several calls track the same event, declare an ``Event``.
  ///
  /// - Parameters:
  ///   - name: The name, in lower case with underscores by custom, such as `sign_up`.
  ///   - properties: The event's properties; nil, null and empty groups are left out.
  @inlinable
  public static func track(
    _ name: @autoclosure () -> String, _ properties: @autoclosure () -> AmbientFields = [:]
  ) {
    track(Event(name(), properties()))
  }

  @usableFromInline
  static var isWanted: Bool { context.withService { $0.isEnabled } }

  /// The number of events that the whole process has lost to recursion.
  ///
  /// An event is lost if its `track` call is nested inside eight others on the same thread, for
  /// example because a handler tracks each event that it receives.
  package static var eventsLostInRecursion: Int { nesting.lostCalls }

  /// Runs `body` with `analytics` as the current analytics of this task and of the tasks that
  /// `body` starts.
  ///
  /// A user that `body` assigns to ``user`` is current only in this scope. A detached task does not
  /// belong to the scope; see ``AmbientScope``.
  ///
  /// - Parameters:
  ///   - analytics: The analytics that record the events of the scope.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ analytics: Analytics, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(analytics), body)
  }

  /// Runs `body` with `analytics` as the current analytics of this task and of the tasks that
  /// `body` starts.
  ///
  /// A user that `body` assigns to ``user`` is current only in this scope. A detached task does not
  /// belong to the scope; see ``AmbientScope``.
  ///
  /// - Parameters:
  ///   - analytics: The analytics that record the events of the scope.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @_disfavoredOverload
  @inlinable
  public static func withInstance<R, E: Error>(
    _ analytics: Analytics, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(analytics), body)
  }

  @usableFromInline
  static func assign(_ analytics: Analytics) -> LateAssignment? { context.assign(analytics) }

  @usableFromInline
  static func binding(_ analytics: Analytics) -> Bindings {
    context.binding(analytics, with: AnalyticsIdentity.context.entry)
  }

  /// Creates analytics that call `handler` for each event, on the thread that tracks the event.
  ///
  /// - Parameters:
  ///   - flush: Called when the analytics are flushed, on any thread; must not wait for a network.
  ///   - shutdown: Awaited when the analytics are shut down, with the instant at which the caller
  ///     stops waiting; nil for a flush.
  ///   - handler: Called for each event, on any thread and by several threads at once.
  public static func calling(
    flush: @escaping @Sendable () -> Void = {},
    shutdown: (@Sendable (ContinuousClock.Instant) async -> Void)? = nil,
    _ handler: @escaping @Sendable (TrackedEvent) -> Void
  ) -> Analytics {
    CallingAnalytics(flush, shutdown ?? { _ in flush() }, handler)
  }

  private let installations = Installations()

  /// Makes analytics; those of the base class discard all events.
  public init() {}

  /// Whether events are wanted: true, unless a subclass overrides it, as ``NoAnalytics`` does.
  open var isEnabled: Bool { true }

  /// The number of events that could not be recorded, for example because the disk was full or a
  /// pipe had no reader; zero unless a subclass counts them.
  ///
  /// Events that are lost because `track` calls were nested too deep are not counted.
  open var lostEvents: Int { 0 }

  /// The program's user that these analytics have stored, perhaps at an earlier start; nil unless a
  /// subclass stores it.
  ///
  /// Events that name no user belong to this user until the program assigns ``user`` or binds one.
  open var storedUser: AnalyticsUser? { nil }

  /// Stores the program's user, so that `storedUser` returns it at the next start.
  ///
  /// When ``user`` is assigned, this method is called on the current analytics. For analytics that
  /// are installed later, in the process or in a scope, it is called at their installation, unless
  /// `storedUser` already equals the user, or the installation is in a block of `withUser`. Users
  /// that `withUser` binds, or that its block assigns, are not stored. The base class stores
  /// nothing.
  ///
  /// - Parameter user: The user that was assigned; nil for none, as after ``reset()``.
  open func store(_ user: AnalyticsUser?) {}

  /// Records one event, synchronously on the thread that tracks it.
  ///
  /// The base class discards the event, and reports that once for each subclass whose events reach
  /// this method. A class that discards its events on purpose overrides it with an empty body.
  ///
  /// - Parameter event: The event with its identity, its time and its user. Each `track` call
  ///   passes a new event.
  open func record(_ event: TrackedEvent) {
    guard type(of: self) != Analytics.self else { return }
    DiscardingSubclass.report(
      by: type(of: self), "events", overriding: "record(_ event: TrackedEvent)")
  }

  /// Delivers pending events, or only starts the delivery if it takes long.
  ///
  /// The base class has no pending events.
  open func flush() {}

  /// Delivers pending events and stops background work, by the deadline.
  ///
  /// The base class and ``FileAnalytics`` only call ``flush()``.
  ///
  /// - Parameter deadline: The instant at which the caller stops waiting.
  open func shutdown(deadline: ContinuousClock.Instant) async { flush() }

  /// Adds `change` to the number of installations of analytics; does nothing if `service` is nil.
  ///
  /// Calls `store` after an installation if the program's user is not the stored one. Calls `flush`
  /// when the number becomes zero. If these analytics were ever the process's instance, which is
  /// never freed, they also close their file. The next line opens the file again.
  private static func noteInstallation(of service: AnyObject?, _ change: Int, ofProcess: Bool) {
    guard let service else { return }
    // Safe downcast: this context holds only analytics, and the parts of its groups are analytics.
    let analytics = unsafeDowncast(service, to: Analytics.self)
    let isFirstOrLast = analytics.installations.add(change, ofProcess: ofProcess)
    if change > 0, let identity = AnalyticsIdentity.context.assigned, !identity.isOfPart,
      identity.user != analytics.storedUser
    {
      analytics.store(identity.user)
    }
    guard isFirstOrLast else { return }
    if analytics.installations.wereOfProcess, let file = analytics.sink?.file {
      // Also writes the buffered lines, but does not wait for a disk that does not answer.
      file.keep(while: analytics.installations)
    } else if change < 0 {
      analytics.flush()
    }
  }

  /// The sink to which a subclass writes its lines. Nil if the class writes no lines.
  var sink: LineSink? { nil }

  /// Tracks an event with these analytics, if they want events.
  ///
  /// - Parameter event: The event, which is created only if these analytics want events.
  public final func track(_ event: @autoclosure () -> Event) {
    if isEnabled { trackWanted(event()) }
  }

  /// Tracks an event after the caller has checked `isEnabled`. Does not check it again, because
  /// analytics with a queue would load the user's consent once more.
  @usableFromInline
  final func trackWanted(_ event: @autoclosure () -> Event) {
    Analytics.nesting.descend(.analytics) {
      let date = Time.now
      take(TrackedEvent.tracked(event(), at: date, by: self))
    }
  }

  /// Tracks an event called `name` with these analytics, if they want events.
  ///
  /// - Parameters:
  ///   - name: The name, in lower case with underscores by custom, such as `sign_up`.
  ///   - properties: The event's properties; nil, null and empty groups are left out.
  public final func track(
    _ name: @autoclosure () -> String, _ properties: @autoclosure () -> AmbientFields = [:]
  ) {
    track(Event(name(), properties()))
  }

  /// Records the event, then returns the memory of its properties to the thread for reuse.
  ///
  /// This method is not inlined. If it were, the compiler would see the parts of the event, and
  /// would retain each part across the call of `record`.
  @inline(never)
  private func take(_ event: TrackedEvent) {
    record(event)
    event.giveBack()
  }
}

private final class CallingAnalytics: Analytics, @unchecked Sendable {
  private let flusher: @Sendable () -> Void
  private let stopper: @Sendable (ContinuousClock.Instant) async -> Void
  private let handler: @Sendable (TrackedEvent) -> Void

  init(
    _ flusher: @escaping @Sendable () -> Void,
    _ stopper: @escaping @Sendable (ContinuousClock.Instant) async -> Void,
    _ handler: @escaping @Sendable (TrackedEvent) -> Void
  ) {
    self.flusher = flusher
    self.stopper = stopper
    self.handler = handler
  }

  override func record(_ event: TrackedEvent) { handler(event) }

  override func flush() { flusher() }

  override func shutdown(deadline: ContinuousClock.Instant) async { await stopper(deadline) }
}

/// Analytics that discard all events.
public final class NoAnalytics: Analytics, @unchecked Sendable {
  /// Always false.
  public override var isEnabled: Bool { false }

  /// Discards the event.
  ///
  /// - Parameter event: The event.
  public override func record(_ event: TrackedEvent) {}
}
