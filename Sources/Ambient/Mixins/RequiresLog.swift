/// A type that uses ``Log``: it gets `log`, and replaces it by declaring a property of that name.
///
/// ```swift
/// struct Checkout: RequiresLog {}  // the log in force where it is used
/// struct Checkout: RequiresLog { let log: Log }   // the one that it was given
/// ```
public protocol RequiresLog {
  /// What this type uses.
  var log: Log { get }
}

extension RequiresLog {
  /// The instance in force here, looked up at each use.
  public var log: Log { Log.instance }
}
