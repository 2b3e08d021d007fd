// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A failure that keeps events waiting.
public struct DeliveryTrouble: Hashable, Sendable {
  /// The reason of the last failed attempt.
  public let reason: String
  /// The time of the first failed attempt of this failure.
  ///
  /// A failure ends when the server works again, when no event waits, or with the process.
  public let since: Date
  /// The number of failed attempts of this failure; 0 in a ``QueueSummary``.
  public let attempts: Int
}
