extension Time {
  /// The elements of `base` after which it was quiet for `interval` of the time in force.
  ///
  /// ```swift
  /// for try await text in Time.debounce(queries, for: .milliseconds(300)) { search(text) }
  /// ```
  ///
  /// An element that is followed by another one sooner is dropped; the last one comes at once when
  /// `base` ends. In virtual time it is exact, since all that it starts belongs to the scope.
  ///
  /// - Parameters:
  ///   - base: What to wait for. Each loop iterates over it anew.
  ///   - interval: How long it must be quiet; not above zero lets all elements pass.
  public static func debounce<Base: AsyncSequence & Sendable>(
    _ base: Base, for interval: Duration, fileID: String = #fileID, line: UInt = #line
  ) -> PacedSequence<Base> where Base.Element: Sendable {
    PacedSequence(
      base: base, interval: interval, pace: .quiet,
      caller: SourcePlace(fileID: fileID, line: line))
  }

  /// The elements of `base`, but no more than one in each `interval` of the time in force.
  ///
  /// The first one comes at once. Of those that follow within the interval the latest comes at its
  /// end, or at the end of `base`. It is exact in virtual time.
  ///
  /// - Parameters:
  ///   - base: What to wait for. Each loop iterates over it anew.
  ///   - interval: The time between two elements; not above zero lets all pass.
  ///   - latest: Whether the latest of those that came too soon is kept; else they are all dropped.
  public static func throttle<Base: AsyncSequence & Sendable>(
    _ base: Base, for interval: Duration, latest: Bool = true,
    fileID: String = #fileID, line: UInt = #line
  ) -> PacedSequence<Base> where Base.Element: Sendable {
    PacedSequence(
      base: base, interval: interval, pace: latest ? .latestOfInterval : .firstOfInterval,
      caller: SourcePlace(fileID: fileID, line: line))
  }
}

/// An asynchronous sequence at a slower pace, as ``Time/debounce(_:for:fileID:line:)`` makes it.
///
/// Each loop iterates over the base anew, in a task of its own, which ends with the loop. Elements
/// that have not been awaited yet are kept.
public struct PacedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  let base: Base
  let interval: Duration
  let pace: Pace
  let caller: SourcePlace

  /// Starts to iterate over the base, on the time in force here.
  public func makeAsyncIterator() -> Iterator {
    let (stream, output) = AsyncThrowingStream<Base.Element, any Error>.makeStream()
    let pacer = Pacer(time: Time.instance, interval: interval, pace: pace, caller, output)
    let source = base
    let task = Time.task(name: pace.rawValue, fileID: caller.fileID, line: caller.line) {
      await pacer.run(source)
    }
    output.onTermination = { _ in task.cancel() }
    return Iterator(elements: stream.makeAsyncIterator())
  }

  /// Waits for one element after another.
  public struct Iterator: AsyncIteratorProtocol {
    var elements: AsyncThrowingStream<Base.Element, any Error>.Iterator

    /// Waits for the next element.
    ///
    /// - Returns: `nil` when the base has ended, or the task is cancelled.
    /// - Throws: What the base throws; ``FrozenTimeError`` where time stands still.
    public mutating func next() async throws -> Base.Element? {
      try await elements.next(isolation: #isolation)
    }
  }
}
