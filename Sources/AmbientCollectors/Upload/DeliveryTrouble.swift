// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A failure that keeps events waiting.
public struct DeliveryTrouble: Hashable, Sendable {
  /// The reason of the last failed attempt.
  public let reason: String
  /// The time of the first failed attempt since the last delivery.
  public let since: Date
  /// The number of failed attempts since the last delivery.
  public let attempts: Int
}
