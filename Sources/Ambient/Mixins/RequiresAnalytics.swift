/// A type that uses ``Analytics``: it gets `analytics`, and replaces it by declaring a property of that name.
///
/// ```swift
/// struct Checkout: RequiresAnalytics {}                      // the analytics in force where it is used
/// struct Checkout: RequiresAnalytics { let analytics: Analytics }   // the one that it was given
/// ```
public protocol RequiresAnalytics {
  /// What this type uses.
  var analytics: Analytics { get }
}

extension RequiresAnalytics {
  /// The instance in force here, looked up at each use.
  public var analytics: Analytics { Analytics.instance }
}
