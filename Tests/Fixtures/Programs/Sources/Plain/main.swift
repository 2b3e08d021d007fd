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

Time.instance = TuesdayTime()
Log.instance = ShoutingLog()
Analytics.instance = PrintingAnalytics()
Log.info("ready")
Analytics.track(Event("opened"))
