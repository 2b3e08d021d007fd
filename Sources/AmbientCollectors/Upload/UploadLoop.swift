internal import Ambient
internal import Foundation

/// What the task of an uploader does: waits until something is due, sends it, and so on.
struct UploadLoop {
  enum Ending {
    /// What was wanted is settled.
    case done
    /// Nothing could be read of the queue.
    case empty
    /// The queue was changed by others, or sending is no longer allowed: look again.
    case changed
    /// Enough was tried; what waits is left to the next start.
    case stopped
  }

  let uploader: Uploader
  /// When the oldest event that waits was first seen.
  private var firstSeen: Duration?
  /// Attempts that failed in a row.
  var failures = 0
  /// Those of them since the program is at its end.
  var failuresAtEnd = 0
  /// Single events that were refused in a row.
  var refusals = 0
  /// Requests in a row of which it is not known whether they have arrived.
  var doubts = 0
  /// Whether the destination's inquiry, if it has one, was answered as it must be.
  var isInquired = false
  /// What a server has shown to be too large.
  var ceiling = RequestCeiling()
  /// Until when nothing is sent, whatever becomes of the queue meanwhile.
  private var rest: Rest?

  /// Attempts that fail in a row at a program's end, after which what waits is left to the next
  /// start. Waits between them grow, so that they fill most of a deadline of half a minute: a
  /// server that restarts is back by then.
  private static var mostAtEnd: Int { 10 }

  private struct Rest {
    let end: Duration
    /// Whether the server has asked for it.
    let isDemanded: Bool
    /// Whether the program was at its end when it began.
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

  /// Waits for a ring, or until an event is too old, if one will be.
  private func waitForRing(atMost expiry: Duration?) async {
    guard let expiry else { return await uploader.bell.wait() }
    await uploader.bell.wait(atMost: max(expiry, .seconds(1)))
  }

  /// Waits for a ring, while nothing may be sent.
  ///
  /// - Parameter expiry: After how long a refused event is too old.
  private func waitForConsent(_ expiry: Duration?) async {
    guard let age = uploader.journal.maximumAge else { return await uploader.bell.wait() }
    let now = Time.now
    // For what that drops which has become too old.
    _ = uploader.journal.batch(maximumCount: 1, maximumBytes: 0, now: now)
    uploader.forgetTroubleIfEmpty()
    let left = uploader.journal.oldest.map { age - .seconds(now.timeIntervalSince($0)) }
    await waitForRing(atMost: [left, expiry].compactMap(\.self).min())
  }

  /// How long until something is to be sent; nil if nothing waits.
  private mutating func timeUntilDue(_ isWanted: Bool) -> Duration? {
    if uploader.journal.count == 0 {
      firstSeen = nil
      // What is appended after this rings; what was before is seen by the second look.
      uploader.forgetNews()
      uploader.forgetTroubleIfEmpty()
      guard uploader.journal.count > 0 else { return nil }
    }
    let count = uploader.journal.count
    if isWanted || count >= options.events || uploader.journal.byteCount >= options.bytes {
      return .zero
    }
    let now = Time.uptime
    let since = firstSeen ?? now
    firstSeen = since
    return max(.zero, since + options.interval - now)
  }

  /// Sends all that waits now.
  private mutating func deliver() async -> Ending {
    guard await takeRest(nil) else { return .stopped }
    uploader.forgetNews()
    var left = uploader.journal.count
    while left > 0, !Task.isCancelled {
      let now = Time.now
      // Before it is read: what is erased afterwards must not be sent.
      let generation = uploader.generation
      let records = uploader.journal.batch(
        maximumCount: options.events, maximumBytes: options.bytes, now: now)
      guard !records.isEmpty else {
        // What was read may have been too old.
        uploader.forgetTroubleIfEmpty()
        return .empty
      }
      left -= records.count
      let ending = await send(records, now: now, generation)
      guard ending == .done else { return ending }
    }
    return .done
  }

  /// Waits before the next attempt of what was read of the queue in that generation.
  ///
  /// - Parameter isDemanded: Whether the server has asked for it.
  /// - Returns: Whether to go on.
  mutating func pause(_ duration: Duration, isDemanded: Bool, _ generation: Int) async -> Bool {
    rest = Rest(
      end: Time.uptime.plus(duration), isDemanded: isDemanded, isAtEnd: uploader.end != nil)
    return await takeRest(generation)
  }

  /// Waits until something may be sent again, or until what was read of the queue in that
  /// generation has changed; whether to go on.
  private mutating func takeRest(_ generation: Int?) async -> Bool {
    while let rest, !Task.isCancelled {
      if let generation, uploader.generation != generation || !uploader.isAllowed() {
        // It is read again, and the rest is taken then.
        return true
      }
      let left = rest.end - Time.uptime
      if left <= .zero { break }
      if let end = uploader.end {
        // One attempt more for what waits of our own accord.
        guard rest.isAtEnd || rest.isDemanded else { break }
        if failuresAtEnd >= Self.mostAtEnd || ContinuousClock.now + left >= end { return false }
      }
      if Time.instance is FixedTime {
        // Where time stands still, a ring is all that ends a wait.
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
