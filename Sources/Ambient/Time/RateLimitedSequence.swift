extension Time {
  /// Returns the elements of `base` that no other element follows within `interval`.
  ///
  /// ```swift
  /// for try await text in Time.debounce(queries, for: .milliseconds(300)) { search(text) }
  /// ```
  ///
  /// The interval is measured with the current time. An element is dropped if the next element
  /// follows within the interval. When `base` ends, its last element is passed on at once. In
  /// virtual time, the intervals are exact, because the tasks of the sequence belong to the scope
  /// of virtual time.
  ///
  /// - Parameters:
  ///   - base: The sequence to slow down. Each loop iterates over it anew.
  ///   - interval: The time in which no other element may follow; zero or less passes all elements
  ///     on.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  public static func debounce<Base: AsyncSequence & Sendable>(
    _ base: Base, for interval: Duration, fileID: String = #fileID, line: UInt = #line
  ) -> RateLimitedSequence<Base> where Base.Element: Sendable {
    RateLimitedSequence(
      base: base, interval: interval, limit: .quiet,
      caller: SourcePlace(fileID: fileID, line: line))
  }

  /// Returns the elements of `base`, but at most one per `interval`. The interval is measured
  /// with the current time.
  ///
  /// The first element is passed on at once, and starts an interval. Of the elements that come
  /// within an interval, the latest is passed on when the interval or `base` ends, unless `latest`
  /// is false. In virtual time, the intervals are exact.
  ///
  /// - Parameters:
  ///   - base: The sequence to slow down. Each loop iterates over it anew.
  ///   - interval: The minimum time between two elements; zero or less passes all elements on.
  ///   - latest: Whether to pass on the latest of the elements that come too soon. If false, all of
  ///     them are dropped.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  public static func throttle<Base: AsyncSequence & Sendable>(
    _ base: Base, for interval: Duration, latest: Bool = true,
    fileID: String = #fileID, line: UInt = #line
  ) -> RateLimitedSequence<Base> where Base.Element: Sendable {
    RateLimitedSequence(
      base: base, interval: interval, limit: latest ? .latestOfInterval : .firstOfInterval,
      caller: SourcePlace(fileID: fileID, line: line))
  }
}

/// An asynchronous sequence whose rate is limited by ``Time/debounce(_:for:fileID:line:)`` or
/// `throttle`.
///
/// Each loop iterates over the base anew, in a task that ends with the loop. Elements are buffered
/// until the loop awaits them.
public struct RateLimitedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  let base: Base
  let interval: Duration
  let limit: RateLimit
  let caller: SourcePlace

  /// Starts to iterate over the base, with the current time as the clock.
  public func makeAsyncIterator() -> Iterator {
    let (stream, output) = AsyncThrowingStream<Base.Element, any Error>.makeStream()
    let limiter = RateLimiter(time: Time.instance, interval: interval, limit: limit, caller, output)
    let source = base
    let task = Time.task(name: limit.rawValue, fileID: caller.fileID, line: caller.line) {
      await limiter.run(source)
    }
    output.onTermination = { _ in task.cancel() }
    return Iterator(elements: stream.makeAsyncIterator())
  }

  /// The iterator, which waits for one element after another.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var elements: AsyncThrowingStream<Base.Element, any Error>.Iterator

    /// Waits for the next element.
    ///
    /// - Returns: `nil` when the base has ended, or the task is cancelled.
    /// - Throws: The error of the base, or ``FrozenTimeError`` if the current time is frozen.
    public mutating func next() async throws -> Base.Element? {
      try await elements.next(isolation: #isolation)
    }
  }
}

/// The former name of ``RateLimitedSequence``; “paced” was not the usual term.
@available(*, unavailable, renamed: "RateLimitedSequence")
public typealias PacedSequence = RateLimitedSequence
