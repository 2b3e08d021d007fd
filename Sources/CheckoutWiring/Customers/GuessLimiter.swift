internal import Ambient

/// A limiter of the rate of wrong passwords, by the name that is guessed at and by the source of
/// the guess, such as an address.
///
/// Each repository has one limiter, so guesses at the passwords of its customers count together,
/// whichever service checks them. A guess that comes too early is refused before the password is
/// checked, with the same error whether or not a customer has the name.
///
/// - After 3 wrong guesses at a name from a source, the next guess must wait 1 second, and each
///   further guess twice as long as the one before, up to 10 minutes. One wrong guess is forgotten
///   every 10 minutes.
/// - After 30 wrong guesses from a source, at any names, the same rule applies, with waits of up to
///   a minute.
/// - After 10 wrong guesses at a name from other sources, a source must wait after 1 wrong guess at
///   that name instead of 3.
///
/// A source waits only after wrong guesses of its own, so an attacker at one source cannot lock out
/// the owner of a name at another. If a source has already signed in with a name, only the first
/// rule applies to its guesses at that name, and it waits at most 30 seconds. All guesses without a
/// source count as one source, which is treated as if it had signed in with every name. Counts are
/// kept in memory only, under hashes of names and sources: at most 10,000 of each kind, the oldest
/// of which are dropped first. Safe to use from any thread.
public final class GuessLimiter: Sendable {
  private struct State {
    var pairs = Tallies()
    var names = Tallies()
    var sources = Tallies()
    /// The pairs of a source and a name with which the source has signed in.
    var known = Tallies()
  }

  private let state = Guarded(State())

  /// Creates a limiter without guesses.
  public init() {}

  /// Counts a guess as wrong before it is checked. If the guess is right, ``succeed(_:from:)``
  /// undoes the count.
  ///
  /// - Throws: ``CustomerError/tooManyGuesses(wait:)`` if the guess comes too early. The guess is
  ///   then not counted.
  func begin(_ name: String, from source: String?) throws(CustomerError) {
    let now = Time.uptime
    let keys = Keys(name, source)
    let wait = state.withLock { state in
      let isTrusted = source == nil || state.known.contains(keys.pair)
      let others =
        state.names.level(keys.name, at: now) - state.pairs.level(keys.pair, at: now)
      let isAttacked = !isTrusted && others >= 10
      var wait = state.pairs.wait(
        keys.pair, at: now, free: isAttacked ? 1 : 3, most: .seconds(isTrusted ? 30 : 600))
      if !isTrusted {
        wait = max(wait, state.sources.wait(keys.source, at: now, free: 30, most: .seconds(60)))
      }
      if wait > .zero { return wait }
      state.pairs.add(keys.pair, at: now)
      if !isTrusted {
        state.names.add(keys.name, at: now)
        state.sources.add(keys.source, at: now)
      }
      return .zero
    }
    if wait > .zero { throw .tooManyGuesses(wait: wait) }
  }

  /// Records that a guess that was passed to ``begin(_:from:)`` was right. Forgets all wrong
  /// guesses of the pair of name and source, and undoes the guess's counts by name and by source,
  /// if it was counted there.
  func succeed(_ name: String, from source: String?) {
    let now = Time.uptime
    let keys = Keys(name, source)
    state.withLock { state in
      state.pairs.remove(keys.pair)
      if source != nil, !state.known.contains(keys.pair) {
        state.names.takeBack(keys.name)
        state.sources.takeBack(keys.source)
      }
      state.known.add(keys.pair, at: now)
    }
  }

  /// Hashes of a name and a source, which differ in each run of the program.
  private struct Keys {
    let name: Int
    let source: Int
    let pair: Int

    init(_ name: String, _ source: String?) {
      self.name = name.hashValue
      self.source = source.hashValue
      var hasher = Hasher()
      hasher.combine(name)
      hasher.combine(source)
      pair = hasher.finalize()
    }
  }
}

/// The counts of recent wrong guesses, for a limited number of keys.
private struct Tallies {
  private struct Tally {
    var level = 0
    /// The uptime from which the tally's decay is counted.
    var start: Duration
    var last: Duration
  }

  private static var limit: Int { 10_000 }
  private static var memory: Duration { .seconds(600) }

  private var tallies: [Int: Tally] = [:]

  func contains(_ key: Int) -> Bool { tallies[key] != nil }

  func level(_ key: Int, at now: Duration) -> Int { current(key, at: now)?.level ?? 0 }

  /// Returns the time that the next guess must wait; zero or less if it need not wait.
  func wait(_ key: Int, at now: Duration, free: Int, most: Duration) -> Duration {
    guard let tally = current(key, at: now), tally.level >= free else { return .zero }
    let delay = min(.seconds(1 << min(tally.level - free, 20)), most)
    return delay.minus(now.minus(tally.last))
  }

  mutating func add(_ key: Int, at now: Duration) {
    var tally = current(key, at: now) ?? Tally(start: now, last: now)
    if tally.level == 0 { tally.start = now }
    tally.level += 1
    tally.last = now
    tallies[key] = tally
    guard tallies.count > Self.limit else { return }
    // Removes half of the tallies at once, so that the sorting adds little to the cost of each
    // guess.
    for (key, _) in tallies.sorted(by: { $0.value.last < $1.value.last }).prefix(Self.limit / 2) {
      tallies[key] = nil
    }
  }

  mutating func takeBack(_ key: Int) {
    if let level = tallies[key]?.level, level > 0 { tallies[key]?.level -= 1 }
  }

  mutating func remove(_ key: Int) { tallies[key] = nil }

  /// Returns the tally after its decay: one guess is subtracted for each period `memory` that has
  /// passed since the tally's start.
  private func current(_ key: Int, at now: Duration) -> Tally? {
    guard var tally = tallies[key] else { return nil }
    let forgotten = Int(min(now.minus(tally.start) / Self.memory, Double(tally.level)))
    tally.level -= forgotten
    tally.start = tally.start.plus(Self.memory * forgotten)
    return tally
  }
}
