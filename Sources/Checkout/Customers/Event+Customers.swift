public import Ambient

/// The standard events of those who sign in. None says who.
extension Event {
  /// Somebody registered with a password.
  public static let signUp = Event("sign_up", ["method": "password"])

  /// Somebody signed in with a password.
  public static let login = Event("login", ["method": "password"])

  /// Somebody rose to a tier.
  public static func levelUp(_ tier: CustomerTier) -> Event {
    Event("level_up", ["tier": tier.rawValue])
  }
}
