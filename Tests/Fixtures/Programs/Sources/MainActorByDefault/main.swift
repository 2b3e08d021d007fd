import Ambient
import Foundation

nonisolated final class TuesdayTime: Time, @unchecked Sendable {
  override var now: Date { Date(timeIntervalSinceReferenceDate: 172_800) }
}

nonisolated final class ShoutingLog: Log, @unchecked Sendable {
  override func write(_ record: LogRecord) { print("\(record.message)!") }
}

nonisolated final class PrintingAnalytics: Analytics, @unchecked Sendable {
  override var isEnabled: Bool { true }
  override func record(_ event: TrackedEvent) { print(event.event.name, event.date.iso8601()) }
}

Time.instance = TuesdayTime()
Log.instance = ShoutingLog()
Analytics.instance = PrintingAnalytics()
Log.info("ready")
Analytics.track(Event("opened"))

// What is called from anywhere says `nonisolated`, too: façades, and extensions with events.
nonisolated enum Flags {
  private static let context = AmbientContext<String>("Flags") { "none" }
  static var instance: String {
    get { context.instance }
    set { context.instance = newValue }
  }
}

extension Event {
  nonisolated static func closed(_ flag: String) -> Event { Event("closed", ["flag": flag]) }
}

await Task.detached { Analytics.track(.closed(Flags.instance)) }.value
