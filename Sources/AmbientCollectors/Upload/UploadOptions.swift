// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// Options for the times and sizes of uploads, the repetition of failed requests, and a request's
/// limits.
///
/// A value out of a property's range is clamped when it is set. While the collector waits after a
/// failure, waiting events start no upload.
public struct UploadOptions: Hashable, Sendable {
  /// The number of waiting events that starts an upload at once, at least 1; 1,000 by default.
  ///
  /// It is also the maximum number of events in one request, unless the destination's limit is
  /// lower.
  public var events = 1_000 { didSet { events = max(1, events) } }
  /// The total size in bytes of the waiting events that starts an upload at once, at least 1;
  /// 1,000,000 by default.
  ///
  /// The size is that of the events' lines in the queue. It is also the maximum size of a request
  /// that contains more than one event, unless the destination's limit is lower.
  public var bytes = 1_000_000 { didSet { bytes = max(1, bytes) } }
  /// The time that an event waits for further events before an upload starts, at least zero; 5
  /// seconds by default.
  public var interval = Duration.seconds(5) { didSet { interval = max(.zero, interval) } }
  /// The limit of the random wait after the first failure, at least a millisecond; a second by
  /// default.
  ///
  /// The limit doubles with each further failure in a row, up to ``longestBackoff``. A `backoff`
  /// above `longestBackoff` raises that, too.
  public var backoff = Duration.seconds(1) {
    didSet {
      backoff = max(Self.leastBackoff, backoff)
      longestBackoff = max(backoff, longestBackoff)
    }
  }
  /// The longest wait that the collector chooses itself, at least `backoff`; 5 minutes by default.
  ///
  /// The limit that starts at `backoff` is doubled up to this value. An event in
  /// ``DeliveryStatus/setAside`` may wait longer.
  public var longestBackoff = Duration.seconds(300) {
    didSet { longestBackoff = max(backoff, longestBackoff) }
  }
  /// The longest wait that a server may ask for, at least zero; an hour by default.
  ///
  /// If a server asks for a longer wait, this time counts instead. The collector's own wait may be
  /// longer.
  public var longestRetryAfter = Duration.seconds(3_600) {
    didSet { longestRetryAfter = max(.zero, longestRetryAfter) }
  }
  /// The number of times in a row that a request with an unknown outcome is repeated, at least
  /// zero; nil, the default, for no limit.
  ///
  /// The outcome is unknown if the server may have received the request and there is no answer
  /// (``TransportError/Outcome/unknown``), if the answer is not HTTP, if it reports success with a
  /// web page as its body, if its body decides and broke off, or if the destination's verdict says
  /// so, as for ClickHouse's code 319. After the last repetition, the request's events are counted
  /// as lost. Without a limit, no event is lost for this reason, except with
  /// ``UnknownOutcome/dropped``, but a server that does not recognize an event's identity may count
  /// the event twice.
  public var repeatsInDoubt: Int? { didSet { repeatsInDoubt = repeatsInDoubt.map { max(0, $0) } } }
  /// The limits of one HTTP request: the time until its answer is complete, redirects included, and
  /// the answer's size.
  ///
  /// By default, the time is 30 seconds, and the size 65,536 bytes. A shutdown shortens the time to
  /// the rest of its own limit. Collectors of OpenTelemetry have a default of 10 seconds
  /// (``OTLPOptions/timeout``).
  public var exchange = ExchangeLimits()

  /// The least `backoff`. Without it, requests would follow each other without a pause if the
  /// server fails at once.
  private static var leastBackoff: Duration { .milliseconds(1) }

  /// Creates options with the defaults of the properties.
  public init() {}

  /// Returns the limit of the random wait after `count` failures in a row ("full jitter": Brooker,
  /// Exponential Backoff and Jitter, AWS 2015).
  func backoffLimit(afterFailures count: Int) -> Duration {
    var limit = backoff
    for _ in 1..<max(1, count) where limit < longestBackoff { limit = limit.plus(limit) }
    return min(limit, longestBackoff)
  }
}
