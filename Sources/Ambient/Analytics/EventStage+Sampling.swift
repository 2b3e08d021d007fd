// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

extension EventStage {
  /// Passes on a share of the events, and drops the others.
  ///
  /// A key decides which events pass: by default, the user. The sample has all events of a key or
  /// none. It has the same keys in each process and in each run, because a fixed hash of the key
  /// decides. A key that is in the sample at 10 % is also in it at 20 %.
  ///
  /// - Parameters:
  ///   - share: The share that passes, from 0 for none to 1 for all.
  ///   - key: The key that decides: events with the same key pass together, or not at all.
  /// - Throws: ``SettingError`` if the share is not a number from 0 to 1.
  public static func sampling(
    _ share: Double, by key: SamplingKey = .user
  ) throws(SettingError) -> EventStage {
    guard (0...1).contains(share) else {
      let fault = "is not a share of the events; use a number from 0 (none) to 1 (all)"
      throw SettingError(.share, "\(share)", fault)
    }
    return EventStage { event in SamplingKey.position(of: key.text(event)) < share ? event : nil }
  }
}

extension EventStage {
  /// The key that decides whether an event is in a sample.
  public struct SamplingKey: Sendable {
    fileprivate let text: @Sendable (TrackedEvent) -> String

    /// The user's identity, or the event's own identity if the event has no user.
    public static let user = SamplingKey { $0.user?.id }

    /// The event's own identity, so that each event is sampled independently.
    public static let event = SamplingKey { _ in nil }

    /// Creates a key from a function.
    ///
    /// The key of an event is the value that the function returns, such as a session, or the
    /// event's own identity if the function returns nil.
    ///
    /// - Parameter key: Finds the value in the event.
    public init(_ key: @escaping @Sendable (TrackedEvent) -> String?) {
      text = { key($0) ?? $0.id.uuidString }
    }

    /// The position of a key from 0 up to, but not including, 1.
    ///
    /// It is the 64-bit FNV-1a hash of the key's UTF-8, followed by the mixing steps of SplitMix64.
    /// The upper 53 bits become the number.
    ///
    /// - Parameter key: The text of the key, such as the identity of a user or an event.
    package static func position(of key: String) -> Double {
      Double(StableDigest(key.utf8).high >> 11) / 0x1p53
    }
  }
}
