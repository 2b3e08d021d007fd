/// When events are sent, and how often what failed is tried again.
public struct UploadOptions: Hashable, Sendable {
  /// So many events that wait are sent at once.
  public var events: Int
  /// So many bytes that wait, as they stand in the queue, are sent at once.
  public var bytes: Int
  /// How long an event waits for others.
  public var interval: Duration
  /// The wait after a first failure is by chance, this long at most; it doubles with each further.
  public var backoff: Duration
  /// The longest wait of its own accord.
  public var longestBackoff: Duration
  /// The longest wait that a server may ask for.
  public var longestRetryAfter: Duration
  /// How often in a row a request is sent again of which it is not known whether it has arrived:
  /// without a whole answer, with one that is no HTTP, or a web page in place of one. Then its
  /// events are counted as lost. Nil for as often as it takes: no event is lost, and a server that
  /// does not know an event by its identity may count one twice.
  public var repeatsInDoubt: Int?
  /// How long an exchange may take, and how much of an answer is read.
  public var exchange: ExchangeLimits

  /// Options; each is within its range, or brought there.
  ///
  /// - Parameters:
  ///   - events: So many events that wait are sent at once; 1 at least.
  ///   - bytes: So many bytes that wait are sent at once; 1 at least.
  ///   - interval: How long an event waits for others.
  ///   - backoff: The longest wait after a first failure, a millisecond at least; it doubles.
  ///   - longestBackoff: The longest wait of its own accord, at least `backoff`.
  ///   - longestRetryAfter: The longest wait that a server may ask for.
  ///   - repeatsInDoubt: How often in a row a request is sent again that may have arrived; nil for
  ///     as often as it takes.
  ///   - exchange: How long an exchange may take, and how much of an answer is read.
  public init(
    events: Int = 1_000, bytes: Int = 1_000_000, interval: Duration = .seconds(5),
    backoff: Duration = .seconds(1), longestBackoff: Duration = .seconds(300),
    longestRetryAfter: Duration = .seconds(3_600), repeatsInDoubt: Int? = nil,
    exchange: ExchangeLimits = ExchangeLimits()
  ) {
    self.events = max(1, events)
    self.bytes = max(1, bytes)
    self.interval = max(.zero, interval)
    // A server that fails at once must not be asked without end.
    self.backoff = max(.milliseconds(1), backoff)
    self.longestBackoff = max(self.backoff, longestBackoff)
    self.longestRetryAfter = max(.zero, longestRetryAfter)
    self.repeatsInDoubt = repeatsInDoubt.map { max(0, $0) }
    self.exchange = ExchangeLimits(
      duration: exchange.duration, answerBytes: exchange.answerBytes)
  }

  /// The same, each within its range.
  var withinRange: UploadOptions {
    UploadOptions(
      events: events, bytes: bytes, interval: interval, backoff: backoff,
      longestBackoff: longestBackoff, longestRetryAfter: longestRetryAfter,
      repeatsInDoubt: repeatsInDoubt, exchange: exchange)
  }

  /// The longest wait after so many failures in a row; what comes of it is by chance ("full
  /// jitter": Brooker, Exponential Backoff and Jitter, AWS 2015).
  func backoffLimit(afterFailures count: Int) -> Duration {
    var limit = backoff
    for _ in 1..<max(1, count) where limit < longestBackoff { limit = limit * 2 }
    return min(limit, longestBackoff)
  }
}
