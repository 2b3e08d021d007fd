// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The error of an exploration of schedules that cannot begin.
public struct ScheduleError: DescribedError, Hashable {
  /// The reason why an exploration cannot begin.
  @nonexhaustive
  public enum Code: Sendable, Hashable {
    /// The number of schedules is not above zero.
    case noSchedules
    /// No schedule has the number that you want to repeat: numbers begin at one.
    case noNumber
    /// The environment variable `AMBIENT_SCHEDULE` or `AMBIENT_SCHEDULES` is malformed.
    case invalidSetting
    /// An exploration began within another one.
    case nested
  }

  /// The reason.
  public let code: Code
  /// The number that is wrong, or the setting with its text, such as `AMBIENT_SCHEDULE is “abc”`;
  /// empty if there is neither.
  public let value: String

  init(_ code: Code, _ value: String = "") {
    self.code = code
    self.value = value
  }

  /// The reason, and advice.
  public var description: String {
    switch code {
    case .noSchedules: "the argument “schedules” is \(value); pass 1 or more, such as 1_000"
    case .noNumber: "there is no schedule \(value); the numbers of schedules begin at 1"
    case .invalidSetting:
      """
      \(value); use AMBIENT_SCHEDULE=137 to repeat one schedule, or AMBIENT_SCHEDULES=10000 or \
      AMBIENT_SCHEDULES=1001...2000 to search several
      """.escaped
    case .nested:
      """
      this exploration of schedules runs inside another one, so it would run again for each schedule \
      of the outer one; remove the argument “schedules” from the inner one
      """
    }
  }
}
