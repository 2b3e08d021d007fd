// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The error of a block whose time was to be shown to code that reads the system's clocks, in a
/// program that cannot show it.
public struct SystemClocksError: DescribedError, Hashable {
  /// What the program cannot show.
  @nonexhaustive
  public enum Code: Sendable, Hashable {
    /// `Date()` cannot show the time of a block: `date: true` was asked for.
    case noDate
    /// Swift's clocks and `Task.sleep` cannot obey virtual time: `systemClocks: true` was asked
    /// for.
    case noClocks
  }

  /// What the program cannot show.
  public let code: Code

  /// What the program lacks, and advice.
  public var description: String {
    switch code {
    case .noDate:
      """
      this program cannot show a block's time to Date(): that takes Linux, the shared libraries of \
      Swift, AmbientTesting, and no other definition of clock_gettime. Leave out date: true, and \
      read Time.now
      """
    case .noClocks:
      """
      this program cannot make Swift's clocks and Task.sleep obey virtual time: that takes Linux, \
      Swift 6.3, its shared libraries, AmbientTesting, and no other definition of clock_gettime. \
      Leave out systemClocks: true, and sleep by Time.sleep, or pass Time.clock(); \
      VirtualTime.hasSystemClocks says beforehand which holds
      """
    }
  }
}
