// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The times for which a shop locks prices, reserves goods, keeps keys, and waits for its payment
/// service.
public struct CheckoutTerms: Hashable, Sendable {
  /// The durations that a session may have: 30 minutes to 24 hours, both inclusive.
  public static let sessions: ClosedRange<Duration> = .seconds(30 * 60) ... .seconds(24 * 3_600)
  /// The durations that all other times in the terms may have: a millisecond to 366 days.
  public static let lifetimes: ClosedRange<Duration> = .milliseconds(1) ... .seconds(366 * 86_400)

  /// The duration of a session, unless the buyer asks for another duration.
  public let session: Duration
  /// The time for which a price is locked; nil for the duration of the session.
  public let quote: Duration?
  /// The time for which goods are reserved; nil for the duration of the session.
  public let reservation: Duration?
  /// The time for which a key stays assigned to its order.
  public let keys: Duration
  /// The time for which the shop waits for the payment service's answer.
  public let payment: Duration

  /// Creates terms; by default, a session lasts an hour, keys are kept for a day, and the shop
  /// waits 30 seconds for a payment.
  ///
  /// - Parameters:
  ///   - session: The duration of a session, unless the buyer asks for another duration.
  ///   - quote: The time for which a price is locked; nil for the duration of the session.
  ///   - reservation: The time for which goods are reserved; nil for the duration of the session.
  ///   - keys: The time for which a key stays assigned to its order.
  ///   - payment: The time for which the shop waits for the payment service's answer.
  /// - Throws: ``CheckoutError/sessionLength(_:)`` for a session outside ``sessions``;
  ///   ``CheckoutError/lifetime(_:)`` for any other time outside ``lifetimes``.
  public init(
    session: Duration = standard.session, quote: Duration? = nil, reservation: Duration? = nil,
    keys: Duration = standard.keys, payment: Duration = standard.payment
  ) throws(CheckoutError) {
    guard Self.sessions.contains(session) else { throw .sessionLength(session) }
    for length in [quote ?? session, reservation ?? session, keys, payment]
    where !Self.lifetimes.contains(length) {
      throw .lifetime(length)
    }
    self.session = session
    self.quote = quote
    self.reservation = reservation
    self.keys = keys
    self.payment = payment
  }

  private init() {
    (session, quote, reservation) = (.seconds(3_600), nil, nil)
    (keys, payment) = (.seconds(86_400), .seconds(30))
  }

  /// The terms of a shop that states none.
  public static let standard = CheckoutTerms()
}

extension CheckoutTerms: Decodable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case sessionSeconds, quoteSeconds, reservationSeconds, keySeconds, paymentSeconds
  }

  /// Reads the fields, in whole seconds; missing ones get the values of ``standard``.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    func length(_ key: CodingKeys) throws -> Duration? {
      try fields.decodeIfPresent(WholeNumber.self, forKey: key).map { .seconds($0.value) }
    }
    let standard = Self.standard
    let (session, quote) = (try length(.sessionSeconds), try length(.quoteSeconds))
    let (reservation, keys) = (try length(.reservationSeconds), try length(.keySeconds))
    let payment = try length(.paymentSeconds)
    do throws(CheckoutError) {
      try self.init(
        session: session ?? standard.session, quote: quote, reservation: reservation,
        keys: keys ?? standard.keys, payment: payment ?? standard.payment)
    } catch {
      throw decoder.fault(error)
    }
  }
}
