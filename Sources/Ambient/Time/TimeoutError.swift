/// Something took longer than it was given.
public struct TimeoutError: DescribedError, Hashable {
  /// How long it was given.
  public let duration: Duration
  /// Who gave it, as `Checkout/Payment.swift:42`.
  public let caller: String

  /// Says who gave how long.
  public var description: String { "timed out: \(caller) gave it \(duration)" }
}
