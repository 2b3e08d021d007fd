/// A type that uses ``Time``. It gets a property `time`, and may declare its own `time` instead.
///
/// ```swift
/// struct Checkout: RequiresTime {}  // the time in force where it is used
/// struct Checkout: RequiresTime { let time: Time }  // the time passed to it
/// ```
public protocol RequiresTime {
  /// The time this type uses.
  var time: Time { get }
}

extension RequiresTime {
  /// The instance in force here, looked up at each use.
  public var time: Time { Time.instance }
}

/// A type that uses ``Log``. It gets a property `log`, and may declare its own `log` instead.
///
/// ```swift
/// struct Checkout: RequiresLog {}  // the log in force where it is used
/// struct Checkout: RequiresLog { let log: Log }  // the log passed to it
/// ```
public protocol RequiresLog {
  /// The log this type uses.
  var log: Log { get }
}

extension RequiresLog {
  /// The instance in force here, looked up at each use.
  public var log: Log { Log.instance }
}

/// A type that uses ``Analytics``. It gets a property `analytics`, and may declare its own instead.
///
/// ```swift
/// struct Checkout: RequiresAnalytics {}  // the analytics in force where it is used
/// struct Checkout: RequiresAnalytics { let analytics: Analytics }  // the analytics passed to it
/// ```
public protocol RequiresAnalytics {
  /// The analytics this type uses.
  var analytics: Analytics { get }
}

extension RequiresAnalytics {
  /// The instance in force here, looked up at each use.
  public var analytics: Analytics { Analytics.instance }
}
