// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The error of a block whose time was to be shown to code that reads the system's clocks, in a
/// program that cannot show it.
public struct SystemClocksError: DescribedError, Hashable {
  /// The request that the program cannot fulfill.
  @nonexhaustive
  public enum Code: Sendable, Hashable {
    /// `Date()` cannot show the time of a block: `date: true` was asked for.
    case noDate
    /// Swift's clocks and `Task.sleep` cannot obey virtual time: `systemClocks: true` was asked
    /// for.
    case noClocks
  }

  /// The request that the program cannot fulfill.
  public let code: Code

  /// The requirements, at least one of which the program does not meet, and advice.
  public var description: String {
    switch code {
    case .noDate:
      """
      date: true does not work in this program: it requires Linux, Swift's shared libraries, \
      AmbientTesting, and no other definition of clock_gettime. Omit date: true, and read Time.now
      """
    case .noClocks:
      """
      systemClocks: true does not work in this program: it requires Linux, \
      Swift 6.3, its shared libraries, AmbientTesting, and no other definition of clock_gettime \
      (check VirtualTime.hasSystemClocks first). Omit systemClocks: true, and sleep with Time.sleep, \
      or pass Time.clock()
      """
    }
  }
}
