// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The error of an exploration of schedules that cannot begin.
public struct ScheduleError: DescribedError, Hashable {
  /// What is wrong.
  @nonexhaustive
  public enum Code: Sendable, Hashable {
    /// The number of schedules is not above zero.
    case noSchedules
    /// No schedule has the number that is to be repeated: numbers begin at one.
    case noNumber
    /// The environment variable `AMBIENT_SCHEDULE` or `AMBIENT_SCHEDULES` is malformed.
    case invalidSetting
    /// An exploration began within another one.
    case nested
  }

  /// What is wrong.
  public let code: Code
  /// The number or the setting that is wrong; empty if there is none.
  public let value: String

  init(_ code: Code, _ value: String = "") {
    self.code = code
    self.value = value
  }

  /// What is wrong, and advice.
  public var description: String {
    switch code {
    case .noSchedules: "schedules: is \(value); ask for one schedule or more, such as 1_000"
    case .noNumber: "no schedule has the number \(value): the numbers of schedules begin at 1"
    case .invalidSetting:
      """
      \(value): expected AMBIENT_SCHEDULE=137 to repeat one schedule, or AMBIENT_SCHEDULES=10000 or \
      AMBIENT_SCHEDULES=1001...2000 to search these
      """
    case .nested:
      """
      an exploration of schedules is under way around this one: each of its schedules would explore \
      again. Leave out schedules: here
      """
    }
  }
}
