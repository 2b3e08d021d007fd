// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// Writes events as OTLP's log records with an `eventName`.
struct OTLPFormat: EventFormat {
  let limits: OTLPLimits
  let mapping: EventMapping

  func write(
    _ tracked: TrackedEvent, now: Date, _ inspection: inout EventInspection
  ) -> EventEntry? {
    let event = mapping(tracked.event)
    guard !event.name.isEmpty else {
      inspection.note(
        .nameMalformed, at: "event", needs: "a name", found: "none", .refused, "give it a name")
      return nil
    }
    var properties = event.properties
    let trace = TraceParent.take(from: &properties, at: "properties", &inspection)
    // INFO is the severity that OpenTelemetry's data model recommends for events without a level.
    var record = OTLPRecord(
      at: tracked.date, now: now, severity: LogLevel.info.otlpNumber, limits, &inspection)
    record.add("eventName", text: event.name)
    record.add(trace)
    record.addAttributes(
      ["log.record.uid": tracked.id], isIdentity: true, at: "event", &inspection)
    record.addAttributes(
      ["enduser.pseudo.id": tracked.anonymousID], isIdentity: true, at: "event", &inspection)
    if let user = tracked.user {
      let id = inspection.settleUser(user.id, atMost: .max)
      record.addAttributes(["user.id": id], isIdentity: true, at: "user", &inspection)
      record.addAttributes(user.traits, prefix: "user.", at: "user.traits", &inspection)
    }
    record.addAttributes(properties, at: "properties", &inspection)
    return record.entry(&inspection)
  }
}

/// Writes one record of a log.
///
/// The problems of all records state one event name, `log record`. The record's message does not
/// become the name, because each problem is reported once for each name, and a log has too many
/// different messages.
struct OTLPLogFormat: EventFormat {
  private let queued: UploadRecord
  private let limits: OTLPLimits

  init(_ queued: UploadRecord, _ limits: OTLPLimits) {
    self.queued = queued
    self.limits = limits
  }

  /// The event that stands for the record in reports of problems.
  var event: TrackedEvent {
    TrackedEvent(Event("log record"), id: queued.id, date: queued.record.date)
  }

  func write(
    _ event: TrackedEvent, now: Date, _ inspection: inout EventInspection
  ) -> EventEntry? {
    let logged = queued.record
    var metadata = logged.metadata
    let trace = TraceParent.take(from: &metadata, at: "metadata", &inspection)
    var record = OTLPRecord(
      at: logged.date, now: now, severity: logged.level.otlpNumber, limits, &inspection)
    record.add("severityText", text: logged.level.rawValue)
    record.addBody(logged.message.description)
    record.add(trace)
    record.addAttributes(
      ["log.record.uid": event.id], isIdentity: true, at: "record", &inspection)
    record.addAttributes(Self.place(logged.source), at: "source", &inspection)
    record.addAttributes(metadata, at: "metadata", &inspection)
    return record.entry(&inspection)
  }

  private static func place(_ source: SourcePlace) -> AmbientFields {
    [
      "code.file.path": source.fileID.isEmpty ? nil : source.fileID,
      "code.line.number": source.line == 0 ? nil : source.line,
      "code.function.name": source.function.isEmpty ? nil : source.function,
    ]
  }
}

extension LogLevel {
  /// The level's severity number in OpenTelemetry, which has four numbers for each of
  /// OpenTelemetry's levels.
  ///
  /// `notice` is the second number of OpenTelemetry's INFO. `critical` is the lowest number of
  /// FATAL, as in most mappings of the data model's appendix B.
  var otlpNumber: Int {
    switch self {
    case .trace: 1
    case .debug: 5
    case .info: 9
    case .notice: 10
    case .warning: 13
    case .error: 17
    case .critical: 21
    }
  }
}

/// The limits of a record, and of the request that contains the record.
struct OTLPLimits: Sendable {
  /// The limits of a request.
  static var request: RequestLimits { RequestLimits(events: 10_000, bytes: 4_000_000) }

  let count: Int
  /// The maximum number of a text's Unicode scalars; nil for no limit.
  let length: Int?
  /// The number of bytes of a request besides its records.
  let overhead: Int
}
