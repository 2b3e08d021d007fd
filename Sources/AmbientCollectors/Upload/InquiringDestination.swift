// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A destination that asks its server a question before events are sent, for example which columns
/// a table has.
package protocol InquiringDestination: EventDestination {
  /// The request that must be accepted before events are sent; nil if none is needed. It is sent
  /// again after the server turned events away.
  var inquiry: OutgoingRequest? { get }

  /// The verdict on the answer to ``inquiry``. If the verdict is `accepted` or `partlyAccepted`,
  /// events are sent; otherwise, events wait.
  ///
  /// - Parameters:
  ///   - answer: The server's answer, of any status.
  ///   - now: The current time, for an answer whose `Retry-After` is a date.
  func verdict(onInquiry answer: HTTPAnswer, now: Date) -> DeliveryVerdict
}
