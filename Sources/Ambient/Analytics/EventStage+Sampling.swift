#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension EventStage {
  /// Hands on a share of the events, from 0 for none to 1 for all; whose they are decides which.
  ///
  /// One user is always in or always out, in each process and in each run, and who is in at 10 % is
  /// in at 20 %. The key is hashed by ``SamplingKey/position(of:)``.
  ///
  /// - Throws: ``SamplingError`` if the share is no number from 0 to 1.
  public static func sampling(
    _ share: Double, by key: SamplingKey = .user
  ) throws(SamplingError) -> EventStage {
    guard (0...1).contains(share) else { throw SamplingError(share: share) }
    return EventStage { event in SamplingKey.position(of: key.text(event)) < share ? event : nil }
  }
}

/// What decides whether an event is among a sample.
public struct SamplingKey: Sendable {
  fileprivate let text: @Sendable (TrackedEvent) -> String

  /// The identity of the user; of an event that is nobody's, its own.
  public static let user = SamplingKey { $0.user?.id }

  /// The event's own identity: each is in or out by itself.
  public static let event = SamplingKey { _ in nil }

  /// What `key` says of an event, as a session; where it is nil, the event's own identity.
  public init(_ key: @escaping @Sendable (TrackedEvent) -> String?) {
    text = { key($0) ?? $0.id.uuidString }
  }

  /// Where a key stands between 0 and 1, which is excluded: FNV-1a of 64 bits over its UTF-8,
  /// mixed as SplitMix64 ends, and of that the upper 53 bits.
  public static func position(of key: String) -> Double {
    Double(StableDigest(key.utf8).high >> 11) / 0x1p53
  }
}

/// A share that is none.
public struct SamplingError: DescribedError, Hashable {
  /// What was given.
  public let share: Double

  /// Says what was given, and what may be.
  public var description: String {
    "\(share) is no share of the events: give a number from 0 for none to 1 for all"
  }
}
