// SPDX-License-Identifier: Apache-2.0

// Levels, privacy, metadata, formats and sinks.

import Ambient
import AmbientTesting
import Foundation

struct Order {
  let id = "A-17"
  let total = 19.9
  let card = "4111111111111111"
  let email = "ada@example.org"
}

// A fixed time, because the pages show the output of this program.
Time.instance = try FixedTime(at: "2026-11-27T05:00:00Z")

let order = Order()

// snippet.call
Log.info("order \(order.id) placed", ["total": order.total, "gift": true])
Log.debug("total \(order.total, format: .fixed(2))")
// snippet.end

// snippet.names
Log.info("order \(order.id, name: "order") placed for \(order.total, name: "total")")
// snippet.end

// snippet.privacy
Log.info("card \(order.card, privacy: .private)")
Log.info("signed in: \(order.email, privacy: .sensitive(.hash))")
Log.info("paid", ["card": .private(order.card), "user": .sensitive(order.email)])
// snippet.end

// snippet.nested
Log.info(
  "signed in", ["user": ["name": "ada", "tags": ["new", "paid"], "age": 36] as AmbientFields])
// snippet.end

// snippet.errors
do {
  try charge(order)
} catch {
  Log.error("the order was not paid", ["order": order.id], error: error)
  Log.warning("tried again", ["attempt": 2, "refused": .error(error)])
}
// snippet.end

// snippet.rotation
let daily = FileRotation.daily(keep: 14, isCompressed: true)
var bounded = FileRotation.hourly(zone: .utc)
bounded.size = 100_000_000
bounded.keepAge = .seconds(7 * 86_400)
bounded.keepSize = 10_000_000_000
// snippet.end

struct Refused: Error, CustomStringConvertible {
  let description = "limit reached"
}

func charge(_ order: Order) throws { throw Refused() }

// snippet.levels
let log = try StdoutLog(level: LogLevels("info,Checkout=debug,Chatter=off"))
Log.instance = log
log.level.general = .warning
log.level["Checkout"] = .trace
log.level["Chatter"] = nil
// snippet.end

Log.instance = StderrLog()

// snippet.metadata
Log.metadata = ["service": "shop", "version": "2.1"]
Log.withMetadata(["request": 42]) {
  Log.info("order placed", ["order": order.id])
}
// snippet.end

let items = ["tea", "pot"]

// snippet.fields
var fields: AmbientFields = ["order": order.id]
fields["total"] = .double(order.total)
fields["items"] = items.count.ambientValue
fields["gift"] = nil
Log.info("order placed", fields)
// snippet.end

// snippet.provider
enum Trace {
  @TaskLocal static var id: String?
}

Log.metadataProvider = { ["trace": Trace.id] }
// snippet.end

Log.metadata = [:]
Log.metadataProvider = nil

// snippet.formats
Log.instance = StdoutLog(format: .json)
Log.instance = StderrLog(format: LogFormat(.text, zone: .local, showsSource: true))
// snippet.end

// snippet.multi
Log.instance = MultiLog(
  StdoutLog(level: .notice), try FileLog(path: "shop.log", level: .debug, format: .json))
// snippet.end

// snippet.calling
Log.instance = .calling(level: .error) { record in
  alert("\(record.source.module): \(record.message)")
}
// snippet.end

func alert(_ text: String) {}

// snippet.sink
final class MemoryLog: Log, @unchecked Sendable {
  private let format = LogFormat.json
  private let lines: any LineStore

  init(lines: any LineStore) {
    self.lines = lines
    super.init(level: .info)
  }

  override func write(_ record: LogRecord) {
    format.withLine(record) { lines.append($0) }
  }
}
// snippet.end

// snippet.redacting
final class RedactingLog: Log, @unchecked Sendable {
  private let sink: Log

  init(_ sink: Log) {
    self.sink = sink
    super.init()
  }

  override func write(_ record: LogRecord) {
    var metadata = record.metadata
    if metadata["token"] != nil { metadata["token"] = "<hidden>" }
    sink.write(
      LogRecord(
        date: record.date, level: record.level, message: record.message, metadata: metadata,
        source: record.source))
  }

  override func flush() { sink.flush() }

  override func shutdown(deadline: ContinuousClock.Instant) async {
    await sink.shutdown(deadline: deadline)
  }
}
// snippet.end

protocol LineStore: Sendable {
  func append(_ line: UnsafeRawBufferPointer)
}

// snippet.recorder
let recorder = LogRecorder()
Log.withInstance(recorder) {
  Log.notice("basket emptied", ["items": 3])
}
assert(recorder.messages == ["basket emptied"])
assert(recorder.records[0].metadata == ["items": 3])
// snippet.end

do {
  // snippet.expectations
  try recorder.require(
    LogExpectation("basket emptied", level: .notice, ["items": 3]),
    LogExpectation(level: .warning))
  // snippet.end
} catch {
  print(error)
}
