// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `Log record equality` {
  private func record(
    at seconds: Double = 0, _ level: LogLevel = .info, _ message: LogMessage = "paid",
    _ metadata: AmbientFields = ["order": 1, "total": 2],
    _ source: SourcePlace = SourcePlace(fileID: "Shop/Till.swift", function: "pay()", line: 3)
  ) -> LogRecord {
    LogRecord(
      date: Date(timeIntervalSinceReferenceDate: seconds), level: level, message: message,
      metadata: metadata, source: source)
  }

  @Test func `log records with equal parts are equal, regardless of field order`() {
    let (one, other) = (record(), record(at: 0, .info, "paid", ["total": 2, "order": 1]))
    #expect(one == other && one.hashValue == other.hashValue)
  }

  @Test func `log records differ if any part differs`() {
    let records = [
      record(), record(at: 1), record(.error), record(.info, "sent"), record(.info, "paid", [:]),
      record(.info, "paid", ["order": 1, "total": 3]),
      record(
        .info, "paid", ["order": 1, "total": 2],
        SourcePlace(fileID: "Shop/Till.swift", function: "pay()", line: 4)),
    ]
    #expect(Set(records).count == records.count)
    #expect(Set(records.map(\.hashValue)).count == records.count)
    for other in records.dropFirst() { #expect(records[0] != other) }
  }
}
