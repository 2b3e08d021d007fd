/// A type that uses ``Time``: it gets `time`, and replaces it by declaring a property of that name.
///
/// ```swift
/// struct Checkout: RequiresTime {}                      // the time in force where it is used
/// struct Checkout: RequiresTime { let time: Time }   // the one that it was given
/// ```
public protocol RequiresTime {
  /// What this type uses.
  var time: Time { get }
}

extension RequiresTime {
  /// The instance in force here, looked up at each use.
  public var time: Time { Time.instance }
}
