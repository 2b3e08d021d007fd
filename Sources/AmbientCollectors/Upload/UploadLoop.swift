internal import Ambient
internal import Foundation

/// The work of an uploader's task: waits until events are due, sends them, and repeats.
struct UploadLoop {
  enum Ending {
    /// All wanted events are settled.
    case done
    /// The queue returned no events.
    case empty
    /// Other code changed the queue, or sending is no longer allowed: the loop looks again.
    case changed
    /// Enough attempts have failed; waiting events are left to the next start.
    case stopped
  }

  let uploader: Uploader
  /// The uptime at which the oldest waiting event was first seen.
  private var firstSeen: Duration?
  /// Failed attempts in a row.
  var failures = 0
  /// Failed attempts in a row since the shutdown began.
  var failuresAtEnd = 0
  /// Refused single events in a row.
  var refusals = 0
  /// Requests in a row with an unknown outcome.
  var doubts = 0
  /// Whether the destination's inquiry, if it has one, was accepted.
  var isInquired = false
  /// The limit of a request's size, as learned from the server.
  var ceiling = RequestCeiling()
  /// The pause before the next request, whatever happens to the queue meanwhile.
  private var rest: Rest?

  /// The limit of failed attempts in a row at a shutdown; then waiting events are left to the next
  /// start. The growing waits fill most of a deadline of half a minute, in which a restarting
  /// server comes back.
  private static var mostAtEnd: Int { 10 }

  private struct Rest {
    let end: Duration
    /// Whether the server asked for the pause.
    let isDemanded: Bool
    /// Whether the pause began during the shutdown.
    let isAtEnd: Bool
  }

  init(_ uploader: Uploader) { self.uploader = uploader }

  var options: UploadOptions { uploader.options }

  mutating func run() async {
    var isWanted = false
    while !Task.isCancelled {
      let orders = uploader.takeOrders()
      let isEnding = orders.end != nil
      let expiry = uploader.refused.expire(now: Time.now)
      isWanted = isWanted || orders.isFlushing || isEnding
      if !uploader.isAllowed() {
        if isEnding { return }
        await waitForConsent(expiry)
        continue
      }
      guard let wait = timeUntilDue(isWanted) else {
        if isEnding { return }
        await waitForRing(atMost: expiry)
        continue
      }
      if wait > .zero {
        await uploader.bell.wait(atMost: wait)
        continue
      }
      firstSeen = nil
      switch await deliver() {
      case .stopped: return
      case .changed: continue
      case .empty where isEnding: return
      case .empty: await uploader.bell.wait(atMost: max(options.interval, .seconds(1)))
      case .done: break
      }
      isWanted = false
    }
  }

  /// Waits for a ring, or until the next event is too old, if one will be.
  private func waitForRing(atMost expiry: Duration?) async {
    guard let expiry else { return await uploader.bell.wait() }
    await uploader.bell.wait(atMost: max(expiry, .seconds(1)))
  }

  /// Waits for a ring while sending is not allowed, and drops events that become too old.
  ///
  /// - Parameter expiry: The time until a refused event is too old; nil if none will be.
  private func waitForConsent(_ expiry: Duration?) async {
    guard let age = uploader.journal.maximumAge else { return await uploader.bell.wait() }
    let now = Time.now
    // An empty batch: reading one drops the events that are too old.
    _ = uploader.journal.batch(maximumCount: 1, maximumBytes: 0, now: now)
    uploader.countWaiting()
    uploader.forgetTroubleIfEmpty()
    let left = uploader.journal.oldest.map { age - .seconds(now.timeIntervalSince($0)) }
    await waitForRing(atMost: [left, expiry].compactMap(\.self).min())
  }

  /// The time until events are due; nil if none wait.
  private mutating func timeUntilDue(_ isWanted: Bool) -> Duration? {
    // Where none waits, the next event rings the bell.
    uploader.countWaiting()
    let waiting = uploader.journal.waiting
    if waiting.count == 0 {
      firstSeen = nil
      uploader.forgetTroubleIfEmpty()
      return nil
    }
    if isWanted || waiting.count >= options.events || waiting.bytes >= options.bytes {
      return .zero
    }
    let now = Time.uptime
    let since = firstSeen ?? now
    firstSeen = since
    return max(.zero, since + options.interval - now)
  }

  /// Sends all events that wait now.
  private mutating func deliver() async -> Ending {
    guard await takeRest(nil) else { return .stopped }
    uploader.forgetNews()
    var left = uploader.journal.count
    while left > 0, !Task.isCancelled {
      let now = Time.now
      // Before the batch is read, so that an erasure after it is noticed.
      let generation = uploader.generation
      let records = uploader.journal.batch(
        maximumCount: options.events, maximumBytes: options.bytes, now: now)
      guard !records.isEmpty else {
        // The remaining events may have been too old, and were dropped.
        uploader.forgetTroubleIfEmpty()
        return .empty
      }
      left -= records.count
      let ending = await send(records, now: now, generation)
      guard ending == .done else { return ending }
    }
    return .done
  }

  /// Waits before the next attempt with the records of that generation.
  ///
  /// - Parameter isDemanded: Whether the server asked for the pause.
  /// - Returns: Whether to go on.
  mutating func pause(_ duration: Duration, isDemanded: Bool, _ generation: Int) async -> Bool {
    rest = Rest(
      end: Time.uptime.plus(duration), isDemanded: isDemanded, isAtEnd: uploader.end != nil)
    return await takeRest(generation)
  }

  /// Waits until the pause is over, or until the generation has changed; returns whether to go on.
  private mutating func takeRest(_ generation: Int?) async -> Bool {
    while let rest, !Task.isCancelled {
      if let generation, uploader.generation != generation || !uploader.isAllowed() {
        // The queue is read again first; `deliver` continues the pause.
        return true
      }
      let left = rest.end - Time.uptime
      if left <= .zero { break }
      if let end = uploader.end {
        // A pause of our own choice from before the shutdown ends for one more attempt.
        guard rest.isAtEnd || rest.isDemanded else { break }
        if failuresAtEnd >= Self.mostAtEnd || ContinuousClock.now + left >= end { return false }
      }
      if Time.instance is FixedTime {
        // With frozen time, only a ring ends a wait.
        if uploader.end != nil { return false }
        await uploader.bell.wait()
        break
      }
      await uploader.bell.wait(atMost: left)
    }
    rest = nil
    return !Task.isCancelled
  }
}
