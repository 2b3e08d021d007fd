// SPDX-License-Identifier: Apache-2.0

/// Sends requests over the network, by libcurl or the system's URLSession.
///
/// A carrier ends each exchange that it starts. A carrier needs no timer, because
/// ``CollectorClient`` cancels exchanges that are late or whose task is cancelled.
package protocol Carrier: Sendable {
  /// Begins the exchange.
  func start(_ exchange: RunningExchange)

  /// Frees the resources of the exchange. If the deadline of the exchange has passed, the carrier
  /// also ends the exchange, with the part of the answer that it has received so far.
  func cancel(_ exchange: RunningExchange)
}
