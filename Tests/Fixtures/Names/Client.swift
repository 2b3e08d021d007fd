// A program that subclasses, conforms to and uses what Ambient is open for. It compiles without a
// warning in each mode in which a program may be compiled.
import Ambient
import AmbientCollectors
import Foundation

class PrintedLog: Log, @unchecked Sendable {
  override func write(_ record: LogRecord) { print(record.message) }
  override var lostRecords: Int { 0 }
}

final class FlushedLog: PrintedLog, @unchecked Sendable {
  override func write(_ record: LogRecord) { super.write(record) }
  override func flush() {}
  override func shutdown(deadline: ContinuousClock.Instant) async { flush() }
}

class PrintedAnalytics: Analytics, @unchecked Sendable {
  override func record(_ event: TrackedEvent) { print(event.json) }
  override var lostEvents: Int { 0 }
}

final class FlushedAnalytics: PrintedAnalytics, @unchecked Sendable {
  override func record(_ event: TrackedEvent) { super.record(event) }
  override func flush() {}
  override func shutdown(deadline: ContinuousClock.Instant) async { flush() }
}

class LateTime: Time, @unchecked Sendable {
  override var now: Date { super.now.addingTimeInterval(1) }
}

final class StillTime: LateTime, @unchecked Sendable {
  override var uptime: Duration { .zero }
  override var standsStill: Bool { true }
  override func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    await Task.yield()
  }
}

class PrintedDiagnostics: Diagnostics, @unchecked Sendable {
  override func report(_ diagnostic: Diagnostic) { print(diagnostic) }
}

final class QuietDiagnostics: PrintedDiagnostics, @unchecked Sendable {
  override func report(_ diagnostic: Diagnostic) {}
}

class OwnQueue: QueuedAnalytics, @unchecked Sendable {}

final class NamedQueue: OwnQueue, @unchecked Sendable {}

final class Mailer: AmbientService {
  func flush() {}
  func shutdown(deadline: ContinuousClock.Instant) async {}
}

struct Pager: AmbientService {}

enum Payment: String, AmbientValueConvertible { case card, invoice }

struct Size: AmbientValueConvertible {
  let width: Int
  nonisolated var ambientValue: AmbientValue { .fields(["width": width]) }
}

nonisolated func report(_ size: Size, _ payment: Payment) {
  Log.info("measured", ["size": size, "payment": payment])
  Analytics.track("paid", ["payment": payment])
}

// Types that use the current services.

struct Till: RequiresLog, RequiresTime, RequiresAnalytics {
  func open() {
    log.info("\(time.now)")
    analytics.track("opened")
  }
}

enum Door: RequiresLog {
  case front
  func open() { log.info("opened") }
}

actor Clerk: RequiresLog, RequiresTime {
  func greet() { log.info("\(time.now)") }
}

@MainActor final class Screen: RequiresLog {
  func show() { log.info("shown") }
}

class Shelf: RequiresLog {
  init() {}
  func fill() { log.info("filled") }
}

final class TopShelf: Shelf {
  override func fill() { log.debug("filled") }
}

struct Crate<Content>: RequiresLog {
  let content: Content
  func open() { log.info("opened") }
}

protocol Speaker: RequiresLog {}
extension Speaker { func speak() { log.info("spoke") } }
struct Radio: Speaker {}

typealias Clocked = RequiresLog & RequiresTime
struct Bell: Clocked { func ring() { log.info("\(time.now)") } }
extension Bell: RequiresAnalytics {}

// Types that use services of their own.

struct OwnTill: RequiresLog, RequiresTime, RequiresAnalytics {
  let log: Log
  var time: Time
  let analytics: Analytics = NoAnalytics()
}

final class OwnShelf: RequiresLog {
  let log: Log
  init(_ log: Log) { self.log = log }
}

actor OwnClerk: RequiresLog {
  let log: Log
  init(_ log: Log) { self.log = log }
}

@MainActor final class OwnScreen: RequiresLog {
  let log: Log
  init(_ log: Log) { self.log = log }
}

struct OwnRadio: Speaker { nonisolated let log: Log }

func note(_ user: some RequiresLog) { user.log.info("noted") }
func noteAll<User: RequiresLog & RequiresTime>(_ users: [User]) {
  for user in users { user.log.info("\(user.time.now)") }
}
func note(any user: any RequiresLog) { user.log.info("noted") }
func users() -> [any RequiresLog] { [Till(), OwnShelf(NoLog()), Door.front] }

// Members in extensions of Ambient's types are nonisolated in a module on the main actor, too.

nonisolated struct Parcel: Sendable { let id: String }
extension Event {
  static func sent(_ parcel: Parcel) -> Event { Event("sent", ["id": parcel.id]) }
}
extension Log {
  static func sent(_ parcel: Parcel) { Log.info("sent \(parcel: parcel)") }
}
extension LogInterpolation {
  mutating func appendInterpolation(parcel: Parcel) { appendInterpolation(parcel.id) }
}
actor Dock {
  func send(_ parcel: Parcel) {
    Analytics.track(.sent(parcel))
    Log.sent(parcel)
  }
}

// The closed enums, which a program may switch over in full.

func switchOver(_ level: LogLevel) -> Int {
  switch level {
  case .trace, .debug, .info, .notice, .warning, .error, .critical: 0
  }
}

func switchOver(_ status: ConsentStatus) -> Bool? {
  switch status {
  case .pending: nil
  case .denied: false
  case .granted: true
  }
}

func switchOver(_ color: LogFormat.Color) -> Bool? {
  switch color {
  case .automatic: nil
  case .always: true
  case .never: false
  }
}

func switchOver(_ outcome: TransportError.Outcome) -> Int {
  switch outcome {
  case .unsent, .unknown: 0
  }
}
