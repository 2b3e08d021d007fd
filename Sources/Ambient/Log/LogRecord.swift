#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One thing that was logged.
public struct LogRecord: Sendable {
  /// When: the caller's ``Time``.
  public let date: Date
  /// How much it matters.
  public let level: LogLevel
  /// What happened, without the names of its values, which are in ``metadata``.
  public var message: LogMessage { namedMessage.withoutNames }
  /// With which values, those that the message names among them: made anew at each look.
  public var metadata: AmbientFields {
    var list: [AmbientFields.Field] = []
    namedMessage.read(fields) { list = $0.list }
    return AmbientFields(list: list)
  }
  /// Where in the source.
  public let source: SourcePlace

  /// The message, with references to its values that have names, if nothing else has.
  let namedMessage: LogMessage
  /// The metadata; nil for none but what the message refers to.
  let fields: FieldBytes?

  /// Makes a record of what happened; of a name in message and metadata, the latter's value counts.
  ///
  /// - Parameters:
  ///   - date: When it happened.
  ///   - level: How severe it is.
  ///   - message: The text, with its named values.
  ///   - metadata: The fields, outer before inner.
  ///   - source: Where it was logged.
  public init(
    date: Date, level: LogLevel, message: LogMessage, metadata: AmbientFields, source: SourcePlace
  ) {
    var message = message
    let names = message.takeFields()
    self.init(date, level, message, LogMetadata.joined(names, metadata.bytes), source)
  }

  /// A record with those fields, or else those that the message refers to.
  init(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ fields: FieldBytes?,
    _ source: SourcePlace
  ) {
    self.date = date
    self.level = level
    namedMessage = message
    self.fields = fields
    self.source = source
  }
}

extension LogRecord {
  /// The record as it may leave the machine: what is marked private is hidden also if
  /// ``AmbientPrivacy/isRevealing`` shows it here. A text with such a value is hidden as a whole.
  ///
  /// Logs that send records off send this. It costs nothing where nothing was revealed.
  public var redacted: LogRecord {
    guard AmbientPrivacy.hasRevealed else { return self }
    let text = message.isRevealing ? LogMessage(PrivacyMark.hidden.description) : message
    return LogRecord(
      date: date, level: level, message: text, metadata: metadata.redacted([]), source: source)
  }
}

extension LogRecord: Hashable {
  /// Whether both say the same of the same place and time, whatever the order of their fields.
  public static func == (left: LogRecord, right: LogRecord) -> Bool {
    left.date == right.date && left.level == right.level && left.namedMessage == right.namedMessage
      && left.source == right.source && left.metadata == right.metadata
  }

  /// Hashes the parts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(date)
    hasher.combine(level)
    hasher.combine(namedMessage)
    hasher.combine(metadata)
    hasher.combine(source)
  }
}

extension LogRecord: CustomStringConvertible {
  /// The record as a line of text, without its newline, and with what is private hidden.
  public var description: String { String(LogFormat.text.line(redacted).dropLast()) }
}

extension LogRecord: CustomReflectable {
  /// The parts, with what is private hidden.
  public var customMirror: Mirror {
    let record = redacted
    return Mirror(
      self,
      children: [
        "date": record.date, "level": record.level, "message": record.message,
        "metadata": record.metadata, "source": record.source,
      ], displayStyle: .struct)
  }
}
