// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors

/// Options, and requests, that a test changes within an expression.
protocol Changeable {}

extension Changeable {
  /// Returns a copy that the closure has changed.
  func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
    var copy = self
    try change(&copy)
    return copy
  }
}

extension AdobeOptions: Changeable {}
extension AdobeProducts: Changeable {}
extension ClickHouseOptions: Changeable {}
extension EventQueue.Options: Changeable {}
extension GoogleOptions: Changeable {}
extension HTTPOptions: Changeable {}
extension Journal.Options: Changeable {}
extension OTLPOptions: Changeable {}
extension OutgoingRequest: Changeable {}
extension UploadOptions: Changeable {}
