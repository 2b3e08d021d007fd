#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One thing that was logged.
public struct LogRecord: Hashable, Sendable {
  /// When: the caller's ``Time``.
  public let date: Date
  /// How much it matters.
  public let level: LogLevel
  /// What happened.
  public let message: LogMessage
  /// With which values.
  public let metadata: AmbientFields
  /// Where in the source.
  public let source: SourcePlace

  /// Makes a record of what happened.
  public init(
    date: Date, level: LogLevel, message: LogMessage, metadata: AmbientFields, source: SourcePlace
  ) {
    self.date = date
    self.level = level
    self.message = message
    self.metadata = metadata
    self.source = source
  }
}

extension LogRecord: CustomStringConvertible {
  /// The record as a line of text, without its newline.
  public var description: String { String(LogFormat.text.line(self).dropLast()) }
}
