// SPDX-License-Identifier: Apache-2.0

/// A transport sends requests to a server, and returns the server's answers.
///
/// ``CollectorClient`` is a transport; a test may define another one. A collector waits for the
/// answer to one request before it sends the next request.
public protocol HTTPTransport: Sendable {
  /// Sends the request, and waits for the whole answer.
  ///
  /// The method must end when its task is cancelled; otherwise, a shutdown returns after its
  /// deadline. It must wrap work that runs outside the tasks of a scope of virtual time, such as
  /// waiting for the network or for another thread, in `Time.hold`; otherwise, virtual time moves
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - request: The request; its body is sent uncompressed unless the transport compresses it.
  ///   - limits: The limits, which the transport itself must enforce: the collector does not.
  /// - Returns: The answer, with any status; a body that is longer than the limit is cut.
  /// - Throws: ``TransportError``, which tells whether the request may have reached the server.
  func exchange(_ request: OutgoingRequest, _ limits: ExchangeLimits) async throws(TransportError)
    -> HTTPAnswer
}

/// The limits of an exchange: its duration, and the size of the answer.
public struct ExchangeLimits: Hashable, Sendable {
  /// The longest time from the start of the exchange, before a connection is made, to the last byte
  /// of the answer.
  ///
  /// A negative duration counts as zero, and a duration above ten days as ten days.
  public var duration: Duration { didSet { duration = Self.inRange(duration) } }
  /// The maximum number of bytes of an answer's body that are read; a negative number counts as
  /// zero.
  public var answerBytes: Int { didSet { answerBytes = max(0, answerBytes) } }

  /// Creates limits.
  ///
  /// The duration is clamped to the range from zero to ten days, and a negative size to zero.
  ///
  /// - Parameters:
  ///   - duration: The longest time from the start of the exchange, before a connection is made, to
  ///     the last byte of the answer.
  ///   - answerBytes: The maximum number of bytes of an answer's body that are read; the rest is
  ///     cut off.
  public init(duration: Duration = .seconds(30), answerBytes: Int = 65_536) {
    self.duration = Self.inRange(duration)
    self.answerBytes = max(0, answerBytes)
  }

  /// Clamps the duration to the range from zero to ten days, because a transport may count the
  /// milliseconds in 32 bits.
  private static func inRange(_ duration: Duration) -> Duration {
    min(max(.zero, duration), .seconds(864_000))
  }
}
