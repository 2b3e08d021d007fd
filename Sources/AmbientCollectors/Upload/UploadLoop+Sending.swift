internal import Ambient
internal import Foundation

extension UploadLoop {
  /// Sends what was read of the queue in that generation, request by request, in order.
  mutating func send(_ window: UploadWindow, now: Date, _ generation: Int) async -> Ending {
    var window = window
    let destination = uploader.destination
    var limits = destination.limits
    limits.events = min(limits.events, options.events)
    limits.bytes = min(limits.bytes, max(options.bytes, 1), largest)
    var refused: [(index: Int, refusal: Refusal)] = []
    let batches = UploadBatch.batches(of: window, for: destination, limits, now: now) {
      refused.append(($0, $1))
    }
    for (index, refusal) in refused {
      drop([index], of: &window, refusal.description, detail: "")
    }
    acknowledge(&window, [])
    for batch in batches {
      let ending = await settle(batch, limits, of: &window, generation)
      guard ending == .done else { return ending }
    }
    return .done
  }

  /// Sends a batch until each of its events is delivered or dropped, halving what is refused.
  private mutating func settle(
    _ batch: UploadBatch, _ limits: RequestLimits, of window: inout UploadWindow,
    _ generation: Int
  ) async -> Ending {
    // The next one last.
    var parts = [batch]
    while let part = parts.last {
      if Task.isCancelled { return .stopped }
      if uploader.generation != generation || !uploader.isAllowed() { return .changed }
      let indices = part.entries.map(\.index)
      let verdict = await attempt(part)
      switch verdict {
      case nil:
        if uploader.end != nil { noteTrouble("no answer before the program's end", "") }
        return .stopped
      case .accepted:
        parts.removeLast()
        failures = 0
        uploader.ledger.noteDelivered(indices.count)
        acknowledge(&window, indices)
      case .partlyAccepted(let count, let reason):
        parts.removeLast()
        failures = 0
        let count = min(max(0, count), indices.count)
        uploader.ledger.noteDelivered(indices.count - count)
        if count > 0 { uploader.ledger.noteDropped(count, reason, detail: "") }
        acknowledge(&window, indices)
      case .refused(let reason, let detail):
        failures = 0
        parts.removeLast()
        if indices.count == 1 {
          drop(indices, of: &window, reason, detail: detail)
        } else {
          parts += halves(of: part, limits)
        }
      case .tooLarge(let reason):
        failures = 0
        parts.removeLast()
        if indices.count == 1 {
          drop(indices, of: &window, reason, detail: "too large for the server")
        } else {
          largest = max(part.bytes / 2, 1)
          parts += halves(of: part, limits)
        }
      case .retry(let reason, let after, let detail):
        guard await waitAfter(reason, detail, demand: after, isRare: false, generation) else {
          return .stopped
        }
      case .abandoned(let reason):
        parts.removeLast()
        drop(indices, of: &window, reason, detail: "")
        guard await waitAfter(reason, "", demand: nil, isRare: false, generation) else {
          return .stopped
        }
      case .turnedAway(let reason, let detail):
        guard await waitAfter(reason, detail, demand: nil, isRare: true, generation) else {
          return .stopped
        }
      }
    }
    return .done
  }

  /// The halves of what was refused, the first last.
  private func halves(of part: UploadBatch, _ limits: RequestLimits) -> [UploadBatch] {
    let overhead = uploader.destination.overhead(of: part.group)
    let (first, second) = part.halves(limits, overhead: overhead)
    return [second, first]
  }

  private mutating func drop(
    _ indices: [Int], of window: inout UploadWindow, _ reason: String, detail: String
  ) {
    uploader.ledger.noteDropped(
      indices.count, reason, detail: detail,
      record: indices.first.map { window.records[$0].bytes })
    acknowledge(&window, indices)
  }

  private func acknowledge(_ window: inout UploadWindow, _ indices: [Int]) {
    let end = window.settle(indices)
    if let end { uploader.journal.acknowledge(end) }
    // What is settled before others that stand in front of it is taken out on its own: the next
    // start would send it again.
    let positions = indices.map { window.records[$0].position }
    let ahead = positions.filter { position in end.map { position > $0 } ?? true }
    if !ahead.isEmpty { uploader.journal.remove(ahead) }
  }

  /// One exchange; nil if it was given up because the task is cancelled.
  private func attempt(_ part: UploadBatch) async -> Verdict? {
    let destination = uploader.destination
    let transport = uploader.transport
    let request = destination.request(part.entries.map(\.bytes), group: part.group)
    var limits = options.exchange
    if let end = uploader.end {
      let left = end - ContinuousClock.now
      // Nothing that could not arrive any more is begun.
      guard left > .zero else { return nil }
      limits.duration = min(limits.duration, left)
    }
    do {
      let answer = try await Time.timeout(after: limits.duration) { [limits] in
        try await transport.exchange(request, limits)
      }
      return destination.verdict(on: answer, now: Time.now)
    } catch let error as TransportError {
      return verdict(on: error, part)
    } catch is TimeoutError {
      return verdict(
        on: TransportError(.unknown, "no whole answer within \(limits.duration)"), part)
    } catch is CancellationError {
      return verdict(on: TransportError(.unknown, "no answer before the program's end"), part)
    } catch {
      return verdict(on: TransportError(.unknown, "the wait failed: \(type(of: error))"), part)
    }
  }

  /// Nil for what the next start is to try, since this one is at its end.
  private func verdict(on error: TransportError, _ part: UploadBatch) -> Verdict? {
    let verdict = uploader.destination.verdict(on: error, group: part.group)
    // What must not be sent twice is not left to the next start, either.
    if case .abandoned = verdict { return verdict }
    return Task.isCancelled ? nil : verdict
  }

  private func noteTrouble(_ reason: String, _ detail: String) {
    uploader.ledger.noteTrouble(
      reason, detail: detail, waiting: uploader.journal.count, now: Time.now)
  }

  /// Notes a failed attempt, and waits; whether to go on.
  private mutating func waitAfter(
    _ reason: String, _ detail: String, demand: Duration?, isRare: Bool, _ generation: Int
  ) async -> Bool {
    failures += 1
    noteTrouble(reason, detail)
    let time = Time.instance
    let end = uploader.end
    if isRare {
      // Who is turned away at the end does not knock again.
      if end != nil { return uploader.generation != generation }
      let half = options.longestBackoff / 2
      return await pause(half + time.randomPart(of: half), isDemanded: false, generation)
    }
    var longest = options.backoffLimit(afterFailures: failures)
    // Short enough at the end for the attempts that are made there.
    if let end { longest = min(longest, (end - ContinuousClock.now) / 4) }
    let wait = time.randomPart(of: longest)
    let demanded = min(demand ?? .zero, options.longestRetryAfter)
    return await pause(max(wait, demanded), isDemanded: demanded > wait, generation)
  }
}
