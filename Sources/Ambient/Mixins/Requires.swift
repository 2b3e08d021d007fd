// SPDX-License-Identifier: Apache-2.0

/// A type that uses ``Time``, by a property `time` that it gets or declares itself.
///
/// ```swift
/// struct Checkout: RequiresTime {}  // uses the current time
/// struct Refund: RequiresTime { let time: Time }  // uses the passed time
/// ```
public protocol RequiresTime: _TimeProperty {
  /// The time this type uses.
  var time: Time { get }
}

extension RequiresTime where _OwnTime == Time {
  /// The current instance, looked up at each use.
  public var time: Time { Time.instance }
}

/// A type that uses ``Log``, by a property `log` that it gets or declares itself.
///
/// ```swift
/// struct Checkout: RequiresLog {}  // uses the current log
/// struct Refund: RequiresLog { let log: Log }  // uses the passed log
/// ```
public protocol RequiresLog: _LogProperty {
  /// The log this type uses.
  var log: Log { get }
}

extension RequiresLog where _OwnLog == Log {
  /// The current instance, looked up at each use.
  public var log: Log { Log.instance }
}

/// A type that uses ``Analytics``, by a property `analytics` that it gets or declares itself.
///
/// ```swift
/// struct Checkout: RequiresAnalytics {}  // uses the current analytics
/// struct Refund: RequiresAnalytics { let analytics: Analytics }  // uses the passed analytics
/// ```
public protocol RequiresAnalytics: _AnalyticsProperty {
  /// The analytics this type uses.
  var analytics: Analytics { get }
}

extension RequiresAnalytics where _OwnAnalytics == Analytics {
  /// The current instance, looked up at each use.
  public var analytics: Analytics { Analytics.instance }
}

// A type with a property of the same name and of another type, such as `var log: Log?`, does not
// compile as a `RequiresLog`: the type of its property becomes `_OwnLog`, and the extension above
// does not apply. Without these protocols, it would use the current log in silence. An implicitly
// unwrapped property (`var log: Log!`), or one with an effect (`get async`, `get throws`), still
// compiles, and generic code then uses the current log.

/// The type of a property `time`, for ``RequiresTime``.
public protocol _TimeProperty {
  associatedtype _OwnTime
  @_disfavoredOverload var time: _OwnTime { get }
}

/// The type of a property `log`, for ``RequiresLog``.
public protocol _LogProperty {
  associatedtype _OwnLog
  @_disfavoredOverload var log: _OwnLog { get }
}

/// The type of a property `analytics`, for ``RequiresAnalytics``.
public protocol _AnalyticsProperty {
  associatedtype _OwnAnalytics
  @_disfavoredOverload var analytics: _OwnAnalytics { get }
}
