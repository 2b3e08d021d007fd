// SPDX-License-Identifier: Apache-2.0

/// From when to when something was done.
struct Span: Sendable {
  let start: ContinuousClock.Instant
  let end: ContinuousClock.Instant

  var nanoseconds: Double { (end - start) / .nanoseconds(1) }

  /// The part of the whole during which all were under way, from 0 to 1.
  static func overlap(_ spans: [Span]) -> Double {
    guard let first = spans.map(\.start).min(), let last = spans.map(\.end).max(),
      let from = spans.map(\.start).max(), let to = spans.map(\.end).min(), to > from
    else { return 0 }
    return (to - from) / (last - first)
  }
}
