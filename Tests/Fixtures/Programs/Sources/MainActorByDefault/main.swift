import Ambient
import Foundation

final class TuesdayTime: Time, @unchecked Sendable {
  override var now: Date { Date(timeIntervalSinceReferenceDate: 172_800) }
}

final class ShoutingLog: Log, @unchecked Sendable {
  override func write(_ record: LogRecord) { print("\(record.message)!") }
}

final class PrintingAnalytics: Analytics, @unchecked Sendable {
  override func record(_ event: TrackedEvent) { print(event.event.name, event.date.iso8601()) }
}

final class CountingDiagnostics: Diagnostics, @unchecked Sendable {
  override func report(_ diagnostic: Diagnostic) { print(diagnostic.message) }
}

Diagnostics.instance = CountingDiagnostics()
Time.instance = TuesdayTime()
Log.instance = ShoutingLog()
Analytics.instance = PrintingAnalytics()
Log.info("ready")
Analytics.track(Event("opened"))

// What is called from anywhere says `nonisolated`, too: a context's protocol, its default and its
// façade, and extensions with events.
nonisolated protocol FlagSource: Sendable {
  func isOn(_ name: String) -> Bool
}

nonisolated struct NoFlags: FlagSource {
  func isOn(_ name: String) -> Bool { false }
}

nonisolated enum Flags {
  private static let context = AmbientContext<any FlagSource>("Flags") { NoFlags() }
  static var instance: any FlagSource {
    get { context.instance }
    set { context.instance = newValue }
  }
}

// A value that code of any isolation logs.
struct Size: AmbientValueConvertible {
  nonisolated let width: Int
  nonisolated var ambientValue: AmbientValue { .fields(["width": width]) }
}

nonisolated func logSize(_ size: Size) { Log.info("sized", ["size": size]) }

extension Event {
  nonisolated static func closed(_ isOn: Bool) -> Event { Event("closed", ["flag": isOn]) }
}

// A block that is written there is isolated there, as a task's is.
final class Counter {
  var count = 0

  func countInTime() async throws {
    try await Time.timeout(after: .seconds(60)) { self.count += 1 }
    await Time.task { self.count += 1 }.value
  }
}

await Task.detached { logSize(Size(width: 1)) }.value

let counter = Counter()
try await counter.countInTime()
precondition(counter.count == 2)

await Task.detached { Analytics.track(.closed(Flags.instance.isOn("x"))) }.value
