// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// The time that a buyer has for a checkout: 30 minutes to 24 hours, both inclusive.
public struct CheckoutSession: Hashable, Sendable {
  /// The first instant at which the session is no longer open.
  public let expiresAt: Date

  /// Creates a session that is open until `expiresAt`.
  ///
  /// - Parameter expiresAt: The first instant at which the session is no longer open, 30 minutes to
  ///   24 hours from now.
  /// - Throws: ``CheckoutError/sessionLength(_:)`` if `expiresAt` is too soon or too late.
  public init(expiresAt: Date) throws(CheckoutError) {
    let length = Duration.zero - Lifetime.elapsed(since: expiresAt)
    guard CheckoutTerms.sessions.contains(length) else { throw .sessionLength(length) }
    self.expiresAt = expiresAt
  }

  /// Creates a session that is open for `length` from now on.
  ///
  /// - Parameter length: The length of the session, 30 minutes to 24 hours.
  /// - Throws: ``CheckoutError/sessionLength(_:)`` if `length` is too short or too long.
  public init(lasting length: Duration) throws(CheckoutError) {
    guard CheckoutTerms.sessions.contains(length) else { throw .sessionLength(length) }
    expiresAt = Time.now.advanced(by: length)
  }

  /// Checks that the session is still open.
  ///
  /// - Throws: ``CheckoutError/lapsedSession(until:)``.
  public func check() throws(CheckoutError) {
    guard Time.now < expiresAt else { throw .lapsedSession(until: expiresAt) }
  }
}
