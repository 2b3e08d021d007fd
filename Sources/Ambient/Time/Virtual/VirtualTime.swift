#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A time that passes only when all in its scope wait, or when it is told to.
///
/// ```swift
/// try await Time.virtual(from: "2026-11-27T00:00:00Z") { time in
///   let reservation = Reservation(for: .seconds(15 * 60))   // sleeps in a task of its own
///   try await time.advance(by: .seconds(15 * 60))
///   #expect(await reservation.isExpired)
/// }
/// ```
///
/// The tasks of the scope run one after another, and a sleep takes no real time. Their order is the
/// same in each run of one build, but for loops over a `Set` or a `Dictionary`, which have another
/// order in each process unless `SWIFT_DETERMINISTIC_HASHING=1` is set. Time passes from deadline
/// to deadline; sleepers that are due together wake in the order in which they began to sleep.
/// ``Time/virtual(from:advances:seed:limit:patience:fileID:line:_:)`` opens a scope, and says what
/// belongs to it. Every member may be used from any thread.
public final class VirtualTime: Time, @unchecked Sendable {
  let scheduler: VirtualScheduler
  /// Whether the date that it begins at is one.
  let beginsAtInstant: Bool
  /// What identifiers are made of: how many there are, and bits that derive from the seed.
  private let seeded: Guarded<(number: UInt32, generator: SplitMix64)>

  /// What lets time pass in a scope of virtual time.
  public enum Advances: Hashable, Sendable {
    /// An ``VirtualTime/advance(by:fileID:line:)`` and its like; and whenever all wait, the body
    /// for something else than that, time passes to the next sleeper's deadline.
    case byItself
    /// Only an ``VirtualTime/advance(by:fileID:line:)`` and its like. A body that waits for
    /// anything else while nothing advances time is in a deadlock.
    case byHand
  }

  package init(
    from date: Date, seed: UInt64, advances: Advances = .byItself,
    limit: Duration = VirtualTime.usualLimit, patience: Duration = VirtualTime.usualPatience
  ) {
    beginsAtInstant = date.timeIntervalSinceReferenceDate.isFinite
    scheduler = VirtualScheduler(
      origin: date, advances, limit: limit, patience: patience)
    seeded = Guarded((number: 0, generator: SplitMix64(seed: seed)))
  }

  /// For how much real time a scope may stand still, unless it is told otherwise: 10 seconds.
  public static let usualLimit = Duration.seconds(10)

  /// For how much real time all in a scope may be suspended where nothing in it will wake any of
  /// them, before that is a deadlock, unless it is told otherwise: 200 ms.
  public static let usualPatience = Duration.milliseconds(200)

  /// The virtual time in force here.
  ///
  /// It also tells the scope where its body runs, if the body is who asks. That matters in a
  /// program without AmbientTesting, where the main actor does not belong to the scope: while the
  /// body is there, the scope cannot know whether it waits, so time does not pass by itself. Such a
  /// body asks for the time before it first awaits, and then advances it; to wait for anything else
  /// but an advance or a sleep of its own is a deadlock there.
  ///
  /// - Throws: ``VirtualTimeError/outsideScope`` if none is.
  public static var current: VirtualTime {
    get throws(VirtualTimeError) {
      guard let time = virtualInForce else { throw .outsideScope }
      time.scheduler.withState { _ = $0.noteCaller(TaskID.current) }
      return time
    }
  }

  /// The wall time.
  public override var now: Date { scheduler.withState { $0.date } }

  /// The monotonic time since the scope was opened.
  public override var uptime: Duration { scheduler.withState { $0.now } }

  /// What sleeps now, in the order in which it will wake.
  ///
  /// Sorting them takes time: n log n for n sleepers.
  public var sleepers: [Sleeper] { scheduler.withState { $0.waiting }.sleepers }

  /// All sleeps so far, in the order in which they began, those now waiting included.
  ///
  /// At least the last ten thousand are kept. Sleeps that return at once are not recorded.
  public var sleeps: [Sleeper] { scheduler.withState { $0.waiting.log } }

  /// Sets the wall alone, as a time server does: `duration` later, or earlier if negative.
  ///
  /// The monotonic time, and so every sleep that has begun, is not affected.
  public func step(wall duration: Duration) {
    scheduler.withState { $0.stepWall(by: duration) }
  }

  /// Waits until all in the scope wait and time has come to `deadline`.
  ///
  /// After the end of the scope it waits for real, by as much as the deadline is later than
  /// ``uptime``. The first such wait is reported, and from it on the clocks of the scope run on
  /// with real time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, or sleeps when the scope ends.
  public override func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    try Task.checkCancellation()
    try await scheduler.sleep(until: deadline, caller: caller)
  }

  override func sleep(untilLimit deadline: Duration, caller: SourcePlace) async throws {
    try Task.checkCancellation()
    try await scheduler.sleep(until: deadline, isLimit: true, caller: caller)
  }

  override var wall: Duration { scheduler.withState { $0.wall } }

  override func uptime(at date: Date) -> Duration { scheduler.withState { $0.uptime(at: date) } }

  override var virtual: VirtualTime? { self }

  override func seededBits() -> IdentifierSource.Bits? {
    seeded.withLock { seeded in
      seeded.number &+= 1
      return IdentifierSource.Bits(number: seeded.number, random: seeded.generator.next())
    }
  }
}

/// A small generator of random bits that repeats itself from a seed.
///
/// Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
