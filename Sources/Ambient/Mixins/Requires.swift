/// A type that uses ``Time``: it gets `time`, and replaces it by declaring a property of that name.
///
/// ```swift
/// struct Checkout: RequiresTime {}  // the time in force where it is used
/// struct Checkout: RequiresTime { let time: Time }  // the one that it was given
/// ```
public protocol RequiresTime {
  /// The time this type uses.
  var time: Time { get }
}

extension RequiresTime {
  /// The instance in force here, looked up at each use.
  public var time: Time { Time.instance }
}

/// A type that uses ``Log``: it gets `log`, and replaces it by declaring a property of that name.
///
/// ```swift
/// struct Checkout: RequiresLog {}  // the log in force where it is used
/// struct Checkout: RequiresLog { let log: Log }  // the one that it was given
/// ```
public protocol RequiresLog {
  /// The log this type uses.
  var log: Log { get }
}

extension RequiresLog {
  /// The instance in force here, looked up at each use.
  public var log: Log { Log.instance }
}

/// A type that uses ``Analytics``: it gets `analytics`, and replaces it by a property of that name.
///
/// ```swift
/// struct Checkout: RequiresAnalytics {}  // the analytics in force where it is used
/// struct Checkout: RequiresAnalytics { let analytics: Analytics }  // those that it was given
/// ```
public protocol RequiresAnalytics {
  /// The analytics this type uses.
  var analytics: Analytics { get }
}

extension RequiresAnalytics {
  /// The instance in force here, looked up at each use.
  public var analytics: Analytics { Analytics.instance }
}
