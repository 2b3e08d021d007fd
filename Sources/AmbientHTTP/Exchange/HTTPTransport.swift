/// Carries a request to a server, and returns the answer.
///
/// ``HTTPClient`` is one; a test scripts another. Called for one request after another.
public protocol HTTPTransport: Sendable {
  /// Sends the request, and waits for the whole answer.
  ///
  /// Must end when its task is cancelled. Work that a scope of virtual time cannot see must run in
  /// `Time.hold`.
  ///
  /// - Parameters:
  ///   - request: The request; its body is sent uncompressed unless the transport compresses it.
  ///   - limits: The limits, which the transport keeps itself.
  /// - Returns: The answer, whatever its status; a longer body is cut at the limit.
  /// - Throws: ``TransportError``, with whether the request may have reached the server.
  func exchange(_ request: OutgoingRequest, _ limits: ExchangeLimits) async throws(TransportError)
    -> HTTPAnswer
}

/// The limits of an exchange: its duration, and the size of the answer.
public struct ExchangeLimits: Hashable, Sendable {
  /// The limit from the connection to the last byte of the answer, from zero to ten days.
  public var duration: Duration { didSet { duration = Self.inRange(duration) } }
  /// The bytes of an answer's body that are read.
  public var answerBytes: Int

  /// Limits; values out of range are clamped: zero to ten days, and no negative size.
  ///
  /// - Parameters:
  ///   - duration: The limit from the connection to the last byte of the answer.
  ///   - answerBytes: The bytes of an answer's body that are read; the rest is cut off.
  public init(duration: Duration = .seconds(30), answerBytes: Int = 65_536) {
    self.duration = Self.inRange(duration)
    self.answerBytes = max(0, answerBytes)
  }

  /// Limited to ten days: systems count milliseconds in 32 bits.
  private static func inRange(_ duration: Duration) -> Duration {
    min(max(.zero, duration), .seconds(864_000))
  }
}
