extension Time {
  /// The time in force as a Swift `Clock`, so that code that takes any clock obeys it.
  ///
  /// ```swift
  /// try await Task.sleep(until: .now + .seconds(2), clock: Time.clock)
  /// ```
  public static var clock: TimeClock { TimeClock() }
}
