#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension EventStage {
  /// Passes on a share of the events, from 0 for none to 1 for all, chosen by user.
  ///
  /// A user is always in or always out, in each process and in each run; a user in at 10 % is also
  /// in at 20 %. `SamplingKey.position(of:)` hashes the key.
  ///
  /// - Parameters:
  ///   - share: The share that passes, from 0 for none to 1 for all.
  ///   - key: The key that decides: events with the same key pass together, or not at all.
  /// - Throws: ``SamplingError`` if the share is not a number from 0 to 1.
  public static func sampling(
    _ share: Double, by key: SamplingKey = .user
  ) throws(SamplingError) -> EventStage {
    guard (0...1).contains(share) else { throw SamplingError(share: share) }
    return EventStage { event in SamplingKey.position(of: key.text(event)) < share ? event : nil }
  }
}

/// The key that decides whether an event is in a sample.
public struct SamplingKey: Sendable {
  fileprivate let text: @Sendable (TrackedEvent) -> String

  /// The user's identity; for an event without a user, the event's own.
  public static let user = SamplingKey { $0.user?.id }

  /// The event's own identity: each event is in or out by itself.
  public static let event = SamplingKey { _ in nil }

  /// The value of `key` for an event, such as a session; where it is nil, the event's own identity.
  ///
  /// - Parameter key: Finds the value in the event.
  public init(_ key: @escaping @Sendable (TrackedEvent) -> String?) {
    text = { key($0) ?? $0.id.uuidString }
  }

  /// The position of a key from 0 up to, but not including, 1.
  ///
  /// It is FNV-1a (64 bits) of the UTF-8, finished with the mixing steps of SplitMix64; the upper
  /// 53 bits make the number.
  ///
  /// - Parameter key: The text that decides, of a user or an event.
  package static func position(of key: String) -> Double {
    Double(StableDigest(key.utf8).high >> 11) / 0x1p53
  }
}

/// The error of a share outside 0 to 1.
public struct SamplingError: DescribedError, Hashable {
  /// The given share.
  public let share: Double

  /// The given share, and the valid range.
  public var description: String {
    "\(share) is no share of the events: give a number from 0 for none to 1 for all"
  }
}
