// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The reason why a payment failed.
public enum PaymentError: DescribedError, Hashable {
  /// The service declines the payment.
  case declined
  /// The service does not know the payment to refund.
  case unknownPayment(String)
  /// The reference was used before: for a charge with another amount, payer or basket, or for a
  /// refund of another amount or payment.
  case referenceReused
  /// The amount of a charge or refund is negative, or the amount of a refund is in another currency
  /// than the payment, or exceeds the part of the payment that was not refunded yet.
  case badAmount(Money)
  /// The service took an amount other than the agreed amount. The amount that it took was refunded.
  case otherAmount(Money, asked: Money)
  /// The service does not answer, so the outcome is unknown.
  case unavailable(String)

  /// The fault, and advice.
  public var description: String {
    switch self {
    case .declined: "the payment was declined; choose another payment method"
    case .unknownPayment(let payment): "there is no payment “\(payment)” to refund"
    case .referenceReused:
      "the reference belongs to another payment; begin the checkout again"
    case .badAmount(let amount):
      amount.isNegative
        ? "\(amount) is negative; use zero or more"
        : "\(amount) cannot be refunded; refund at most the rest of the payment, in its currency"
    case .otherAmount(let amount, let asked):
      "the payment service charged \(amount) instead of \(asked), and refunds the charge; try again"
    case .unavailable(let reason): "the payment service did not answer: \(reason); try again"
    }
  }
}
