// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem
internal import Synchronization

/// The wall and monotonic time: an ambient context whose default is the system's clocks.
///
/// ```swift
/// let placed = Time.now                         // a Date
/// try await Time.sleep(for: .seconds(2))
/// try Time.freeze(at: "2026-11-27T00:00:00Z") { … }
/// ```
///
/// Wall time (`Time.now`) answers "what date is it" and may be set back; monotonic time
/// (`Time.uptime`) answers "how long did it take" and never goes back. Read the clock whenever you
/// need the time; do not cache a value.
///
/// Subclasses override the instance properties `now` and `uptime`,
/// ``sleep(untilUptime:tolerance:caller:)`` if their time passes at another pace than the system's,
/// and ``standsStill`` if it does not pass. The static members of a subclass are those of this
/// class: `DefaultTime.now` is the current time, which may be frozen. A `Time` is used from any
/// thread, so a subclass must be safe for that.
nonisolated open class Time: _Nonisolated, @unchecked Sendable {
  static let context = AmbientContext<Time>("Time") { DefaultTime() }

  /// The current time: that of the innermost scope that binds a time, or else that of the process.
  ///
  /// Assign it at the start of the program, or in a scope. ``AmbientContext/instance`` describes
  /// the effects of a first read and of a later assignment.
  public static var instance: Time {
    get { context.instance }
    // The setter is inlined, because a tail call to a separate setter would remove the assigning
    // function's frame from the stack before `assign` captures its callers.
    @inlinable set { if let late = assign(newValue) { late.report() } }
  }

  /// The wall time of the current `Time`.
  @inline(__always)
  public static var now: Date { context.withService { $0.now } }

  /// The monotonic time of the current `Time`, since an arbitrary origin.
  public static var uptime: Duration { context.withService { $0.uptime } }

  /// Runs `body` with `time` as the current time of this task and of the tasks that `body` starts.
  ///
  /// A detached task does not belong to the scope; see ``AmbientScope``.
  ///
  /// - Parameters:
  ///   - time: The time that the scope uses, for example for `Time.now` and sleeps.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func withInstance<R, E: Error>(
    _ time: Time, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(time), body)
  }

  /// Runs `body` with `time` as the current time of this task and of the tasks that `body` starts.
  ///
  /// A detached task does not belong to the scope; see ``AmbientScope``.
  ///
  /// - Parameters:
  ///   - time: The time that the scope uses, for example for `Time.now` and sleeps.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @_disfavoredOverload
  @inlinable
  public static func withInstance<R, E: Error>(
    _ time: Time, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(time), body)
  }

  @usableFromInline
  static func assign(_ time: Time) -> LateAssignment? { context.assign(time) }

  @usableFromInline
  static func binding(_ time: Time) -> Bindings { context.binding(time) }

  /// Creates a `Time` that reads the system's clocks, unless a subclass overrides its members.
  public init() {}

  /// The wall time.
  open var now: Date { SystemClock.wall() }

  /// The monotonic time since an arbitrary origin; it also passes while the machine sleeps.
  open var uptime: Duration { SystemClock.monotonic() }

  /// Whether this time stands still unless code moves it, so that a sleep on it cannot end.
  ///
  /// A time that shows another time, moved or scaled, returns the value of the other. An override
  /// returns true if both clocks stand still until code moves them.
  open var standsStill: Bool { false }

  /// Waits until the monotonic time is `deadline`; sleeps, timers and timeouts call this.
  ///
  /// The base class waits in real time, for the difference between the deadline and `uptime`.
  ///
  /// An override must suspend the task even if the deadline is not later than now, for example by
  /// `await Task.yield()`. Otherwise, a loop that sleeps until a past instant keeps all other tasks
  /// of its actor waiting. An override must throw at once when the task is cancelled.
  ///
  /// - Parameters:
  ///   - deadline: The monotonic time to wait for.
  ///   - tolerance: How late the wake-up may be; `nil` leaves it to the system.
  ///   - caller: The call site of the sleep, for reports.
  /// - Throws: `CancellationError` if the task is cancelled, before or while it waits. An override
  ///   may throw other errors, such as ``FrozenTimeError``.
  open func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    try Task.checkCancellation()
    let rest = deadline.minus(uptime)
    guard rest > .zero else { return try await Self.suspendOnce() }
    // The time is limited, because the system's sleep traps on a deadline beyond 64 bits of
    // seconds.
    let duration = min(rest, .seconds(1 << 60)).nanosecondsRoundedUp
    // The closure only waits, so there is no actor to stay on.
    try await RealTime.$isInForce.withValue(true) {
      try await ContinuousClock().sleep(for: duration, tolerance: tolerance)
    }
  }

  /// Lets other tasks run, as a sleep does whose deadline is not later than now.
  package static func suspendOnce() async throws {
    await Task.yield()
    try Task.checkCancellation()
  }

  /// Waits for the deadline of a timeout.
  ///
  /// In virtual time, other sleepers that are due at the same instant wake before this call
  /// returns, so that a body that takes exactly the time limit does not time out.
  ///
  /// - Returns: False if virtual time passed to the deadline while only timeouts and background
  ///   tasks slept, so that the body may wait for something that the scope does not see.
  func sleep(untilLimit deadline: Duration, caller: SourcePlace) async throws -> Bool {
    if let ownScope { return try await ownScope.waitForLimit(deadline, caller: caller) }
    try await sleep(untilUptime: deadline, tolerance: nil, caller: caller)
    return true
  }

  /// The wall time since 2001-01-01T00:00:00Z. Subclasses that compute it as a `Duration` override
  /// it with the exact value, because `now`, a `Date`, is rounded.
  var wall: Duration { ownScope?.exactWall ?? now.sinceReferenceDate }

  /// The monotonic time minus the wall time. A frozen block has the lead of the time around it.
  var lead: Duration { uptime.minus(wall) }

  /// Returns the monotonic time at which the wall clock will show `date`, unless the wall clock is
  /// set meanwhile.
  func uptime(at date: Date) -> Duration {
    ownScope?.exactUptime(at: date) ?? uptime.plus(.sum(from: now, to: date))
  }

  /// Returns bits for the next identifier from a seeded source if identifiers must be repeatable,
  /// otherwise `nil`.
  func seededBits() -> IdentifierSource.Bits? { scope?.nextSeededBits() }

  /// Returns random bits: repeatable in virtual time, otherwise the system's.
  final func randomBits() -> UInt64 { seededBits()?.random ?? .random(in: .min ... .max) }

  /// This object, if it is a scope of virtual time.
  ///
  /// Valid: the reference is read only through the object to which it points. A counted reference
  /// would keep the object alive for ever.
  private unowned(unsafe) var ownScope: (any VirtualScope)?

  /// Makes this time a scope of virtual time. Must be called once, before other threads see it.
  package final func become(_ scope: any VirtualScope) { ownScope = scope }

  /// The scope of virtual time to which this time belongs, if any.
  package var scope: (any VirtualScope)? { ownScope }

  /// The current scope of virtual time, if any. The look-up does not count as a read of
  /// ``instance``.
  package static var scopeInForce: (any VirtualScope)? { context.assigned?.scope }

  /// The current time, or nil if none is assigned. The look-up does not count as a read of
  /// ``instance``.
  package static var assigned: Time? { context.assigned }

  /// Whether a reading of this time calls no code of the program's own.
  package var isOfAmbient: Bool { ownScope != nil }
}

/// The system's time.
public final class DefaultTime: Time, @unchecked Sendable {
  /// The last lead in nanoseconds; `Int.min` if there is none.
  private static let lastLead = Atomic<Int>(.min)

  /// The lead of the system's clocks. It stays the same until the wall clock is set by more than a
  /// millisecond: two frozen blocks must be as far apart on one clock as on the other, although the
  /// two clocks cannot be read at the same instant.
  static var lead: Duration {
    let last = lastLead.load(ordering: .relaxed)
    let lead = currentLead
    if last != .min, (lead &- last).magnitude < 1_000_000 { return .nanoseconds(last) }
    let (exchanged, known) = lastLead.compareExchange(
      expected: last, desired: lead, ordering: .relaxed)
    return .nanoseconds(exchanged ? lead : known)
  }

  /// Reads the monotonic clock between two readings of the wall clock. If the thread was suspended
  /// between them, tries again.
  private static var currentLead: Int {
    var wall = SystemClock.wall().sinceReferenceDate
    for _ in 0..<10 {
      let uptime = SystemClock.monotonic()
      let next = SystemClock.wall().sinceReferenceDate
      if next.minus(wall) < .microseconds(50) { return uptime.minus(wall).wholeNanoseconds }
      wall = next
    }
    return SystemClock.monotonic().minus(wall).wholeNanoseconds
  }

  override var lead: Duration { Self.lead }

  override package var isOfAmbient: Bool { true }
}
