/// Takes money, and gives it back.
public protocol PaymentService: Sendable {
  /// Charges an amount, once for each reference, and returns the name of the payment.
  func charge(
    _ amount: Money, to method: PaymentMethod, reference: String
  ) async throws(PaymentError) -> String

  /// Gives back an amount of a payment.
  func refund(_ amount: Money, of payment: String) async throws(PaymentError)
}
