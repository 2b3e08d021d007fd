// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime

/// Operators on streams, and where their elements come from, as libraries write them: all start
/// bare tasks of their own, in actors and outside.
enum BareOperators {
  /// The letters of a diagram, one a second; a hyphen is a second in which nothing comes.
  static func letters(_ diagram: String) -> AsyncStream<String> {
    let (stream, feed) = AsyncStream<String>.makeStream()
    Task {
      for letter in diagram {
        if letter != "-" { feed.yield(String(letter)) }
        try await Time.clock().sleep(for: .seconds(1))
      }
      feed.finish()
    }
    return stream
  }

  private actor Debouncer {
    let interval: Duration
    let output: AsyncStream<String>.Continuation
    var waiting: (element: String, timer: Task<Void, Never>)?

    init(_ interval: Duration, _ output: AsyncStream<String>.Continuation) {
      self.interval = interval
      self.output = output
    }

    func take(_ element: String) {
      waiting?.timer.cancel()
      let timer = Task {
        guard (try? await Time.clock().sleep(for: interval)) != nil else { return }
        output.yield(element)
        waiting = nil
      }
      waiting = (element, timer)
    }

    func finish() {
      waiting?.timer.cancel()
      if let waiting { output.yield(waiting.element) }
      output.finish()
    }
  }

  /// The elements after which it was quiet for the interval, and the last one.
  static func debounce(_ base: AsyncStream<String>, for interval: Duration) -> AsyncStream<String> {
    let (stream, output) = AsyncStream<String>.makeStream()
    let debouncer = Debouncer(interval, output)
    Task {
      for await element in base { await debouncer.take(element) }
      await debouncer.finish()
    }
    return stream
  }

  /// The elements of both, as they come.
  static func merge(_ left: AsyncStream<String>, _ right: AsyncStream<String>) -> AsyncStream<
    String
  > {
    let (stream, output) = AsyncStream<String>.makeStream()
    let tasks = [left, right].map { base in
      Task { for await element in base { output.yield(element) } }
    }
    Task {
      for task in tasks { await task.value }
      output.finish()
    }
    return stream
  }

  /// Pairs of both, when both have come.
  static func zip(_ left: AsyncStream<String>, _ right: AsyncStream<String>) -> AsyncStream<String>
  {
    let (stream, output) = AsyncStream<String>.makeStream()
    let (firsts, seconds) = (Buffer(limit: .max), Buffer(limit: .max))
    for (base, hand) in [(left, firsts), (right, seconds)] {
      Task {
        for await element in base { await hand.put(element) }
        await hand.put(nil)
      }
    }
    Task {
      while let first = await firsts.next(), let second = await seconds.next() {
        output.yield(first + second)
      }
      output.finish()
    }
    return stream
  }

  private actor Buffer {
    let limit: Int
    var elements: [String] = []
    var isFinished = false
    var reader: CheckedContinuation<Void, Never>?

    init(limit: Int) { self.limit = limit }

    func put(_ element: String?) {
      guard let element else {
        isFinished = true
        return wakeReader()
      }
      elements.append(element)
      if elements.count > limit { elements.removeFirst() }
      wakeReader()
    }

    func next() async -> String? {
      while elements.isEmpty, !isFinished {
        await withCheckedContinuation { reader = $0 }
      }
      return elements.isEmpty ? nil : elements.removeFirst()
    }

    private func wakeReader() {
      reader?.resume()
      reader = nil
    }
  }

  /// The elements, of which the last so many wait for a slow reader.
  static func buffer(_ base: AsyncStream<String>, limit: Int) -> AsyncStream<String> {
    let buffer = Buffer(limit: limit)
    Task {
      for await element in base { await buffer.put(element) }
      await buffer.put(nil)
    }
    return AsyncStream { await buffer.next() }
  }
}
