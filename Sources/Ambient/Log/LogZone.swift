#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// In which zone a log writes its timestamps.
public enum LogZone: Hashable, Sendable {
  /// UTC: `2026-11-27T05:00:00.000000Z`.
  case utc
  /// The zone of the process (`TZ`, or the system's setting), with its offset.
  case local
  /// A zone that the program supplies, with its offset.
  case timeZone(TimeZone)
}
