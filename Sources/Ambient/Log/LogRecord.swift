// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

/// One record of a log.
public struct LogRecord: _Nonisolated, Sendable {
  /// The time of the call that logged the record, by the caller's ``Time``, or the time that was
  /// passed to the initializer.
  public let date: Date
  /// The severity.
  public let level: LogLevel
  /// The text; its named values are in ``metadata``.
  public var message: LogMessage { namedMessage.withoutNames }
  /// All fields, including the named values of the message.
  ///
  /// They are built again at each access.
  public var metadata: AmbientFields {
    var list: [AmbientFields.Field] = []
    namedMessage.read(fields) { list = $0.list }
    return AmbientFields(list: list)
  }
  /// The place in the source code where the record was logged.
  public let source: SourcePlace

  /// The message, with references to its named values if the record has no other fields.
  let namedMessage: LogMessage
  /// The record's fields; nil if it has no fields other than those to which the message refers.
  let fields: FieldBytes?

  /// Creates a record.
  ///
  /// If a field of `metadata` has the same name as a named value of the message, the record has the
  /// field's value.
  ///
  /// - Parameters:
  ///   - date: The time of the record.
  ///   - level: The record's severity.
  ///   - message: The text, with its named values.
  ///   - metadata: The fields, those of outer scopes first.
  ///   - source: The place in the source code where the record was logged.
  public init(
    date: Date, level: LogLevel, message: LogMessage, metadata: AmbientFields, source: SourcePlace
  ) {
    var message = message
    let names = message.takeFields()
    self.init(date, level, message, FieldBytes.joined(names, metadata.bytes), source)
  }

  /// Creates a record; if `fields` is nil, its fields are those that the message refers to.
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
  /// The record in the form that may leave the machine, with all values hidden that are not public.
  ///
  /// They are hidden even if this process shows them because ``AmbientPrivacy/isRevealing`` is
  /// true. A message that shows such a value is hidden as a whole.
  ///
  /// Logs that upload records send this form. If no such value was ever shown in this process, the
  /// form is the record itself.
  public var redacted: LogRecord {
    guard AmbientPrivacy.hasRevealed else { return self }
    let text = message.isRevealing ? LogMessage(PrivacyMark.hidden.description) : message
    return LogRecord(
      date: date, level: level, message: text, metadata: metadata.redacted([]), source: source)
  }
}

extension LogRecord: Hashable {
  /// Whether both records have the same time, level, message and source, and equal fields in any
  /// order.
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
  /// The record as a line of text, without its newline; values that are not public are hidden.
  public var description: String { String(LogFormat.text.line(redacted).dropLast()) }
}

extension LogRecord: CustomReflectable {
  /// The mirror of the record's parts; values that are not public are hidden.
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
