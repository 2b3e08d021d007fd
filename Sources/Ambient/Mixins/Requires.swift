/// A type that uses ``Time``. It gets a property `time`, and may declare its own `time` instead.
///
/// ```swift
/// struct Checkout: RequiresTime {}  // uses the current time
/// struct Checkout: RequiresTime { let time: Time }  // uses the passed time
/// ```
public protocol RequiresTime {
  /// The time this type uses.
  var time: Time { get }
}

extension RequiresTime {
  /// The current instance, looked up at each use.
  public var time: Time { Time.instance }
}

/// A type that uses ``Log``. It gets a property `log`, and may declare its own `log` instead.
///
/// ```swift
/// struct Checkout: RequiresLog {}  // uses the current log
/// struct Checkout: RequiresLog { let log: Log }  // uses the passed log
/// ```
public protocol RequiresLog {
  /// The log this type uses.
  var log: Log { get }
}

extension RequiresLog {
  /// The current instance, looked up at each use.
  public var log: Log { Log.instance }
}

/// A type that uses ``Analytics``. It gets a property `analytics`, and may declare its own instead.
///
/// ```swift
/// struct Checkout: RequiresAnalytics {}  // uses the current analytics
/// struct Checkout: RequiresAnalytics { let analytics: Analytics }  // uses the passed analytics
/// ```
public protocol RequiresAnalytics {
  /// The analytics this type uses.
  var analytics: Analytics { get }
}

extension RequiresAnalytics {
  /// The current instance, looked up at each use.
  public var analytics: Analytics { Analytics.instance }
}
