#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A sleep where time stands still: its deadline would never come.
///
/// ``FixedTime`` throws it at once, since a test that waits for ever says nothing, and one that goes
/// on as if time had passed says something false.
public struct FrozenTimeError: DescribedError, Hashable {
  /// Where time stands still.
  public let date: Date
  /// How long the sleep would have taken.
  public let duration: Duration
  /// Who called, as `Checkout/Basket.swift:42`.
  public let caller: String

  /// Says who waits for what, and what to write instead.
  public var description: String {
    """
    \(caller) sleeps for \(duration) where time stands still at \(date.iso8601()): it would never \
    end. Use Time.virtual(from:), where a sleep takes no real time, or Time.travel(to:), where time \
    runs on.
    """
  }
}
