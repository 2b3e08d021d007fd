public import Ambient

/// Why a payment did not go through.
public enum PaymentError: DescribedError, Hashable {
  /// The service refuses it.
  case declined
  /// The service does not know the payment that is to be refunded.
  case unknownPayment(String)
  /// The service does not answer.
  case unavailable(String)

  /// Says what is wrong and what to do.
  public var description: String {
    switch self {
    case .declined: "the payment was declined; choose another way to pay"
    case .unknownPayment(let payment): "there is no payment “\(payment)” to refund"
    case .unavailable(let reason): "the payment service does not answer: \(reason); try again"
    }
  }
}
