// SPDX-License-Identifier: Apache-2.0

internal import Ambient

extension RealTime {
  static func sleep(for duration: Duration) async throws {
    // The closure only waits, so there is no actor to stay on.
    try await $isInForce.withValue(true) { try await ContinuousClock().sleep(for: duration) }
  }
}
