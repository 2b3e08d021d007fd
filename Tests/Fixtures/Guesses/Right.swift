import Ambient
import AmbientVirtualTime
import Foundation

enum Payment: String, AmbientValueConvertible { case card }
struct Order { let id: String }

extension Event {
  static func purchase(_ order: Order) -> Event { Event("purchase", ["id": order.id]) }
}

func makeLogs(_ level: LogLevel) throws {
  _ = StdoutLog(level: .off)
  _ = StderrLog(level: .debug, format: .json)
  _ = try FileLog(path: "shop.log", level: LogLevels("info,Checkout=debug"))
  _ = LogRecorder(level: .from(level))
  _ = MultiLog(StdoutLog(), NoLog())
  _ = MultiLog([StdoutLog(), StderrLog()])
  let log = StdoutLog.reopeningPipe(level: .warning)
  log.level = .info
  log.level["Checkout"] = .off
  log.level.general = .debug
  Log.instance = StdoutLog()
  Log.instance = .calling { print($0.message) }
  Log.instance.level = .debug
  if Log.instance.accepts(.debug) { Log.instance.flush() }
}

func write(
  _ id: Int, _ text: String, _ error: any Error, _ none: (any Error)?, _ texts: [String: String],
  _ order: Order
) {
  Log.info("paid by \(texts["name"], default: "nobody")")
  Log.info(
    "values by kind",
    [
      "list": .array(["a", 1, .null]), "text": .string("a"), "none": .null, "number": .integer(4),
      "large": .unsigned(4), "double": .double(0.5), "date": .date(.now), "flag": .boolean(true),
      "group": .fields(["a": 1]), "error": .error(error), "card": .private("1"),
      "payment": Payment.card, "raw": Payment.card.rawValue, "texts": texts,
      "last": texts.keys.sorted().suffix(2), "range": 0..<id,
      "items": .array([["id": "a", "n": 1]]), "order": AmbientValue(describing: order),
      "optional": texts["a"], "url": URL(string: "https://example.org"),
      "wait": Duration.seconds(1),
    ])
  Log.info("\(text)")
  Log.info(LogMessage(text))
  Log.info("a", AmbientFields(texts))
  Log.info("a", ["list": [1, 2], "group": ["a": 1, "b": 2], "nothing": nil])
  Log.info("a", [:])
  Log.info("order \(order)")
  Log.info("order \(id, privacy: .public) of \(text, privacy: .private)")
  Log.error("\(id, name: "id")", ["order": id], error: error)
  Log.error("failed: \(error)")
  Log.error("failed", ["error": error.localizedDescription])
  Log.instance.warning("a", error: none)
  Log.log(.info, "a", error: error)
  Log.metadata = ["id": id, "service": "shop"]
  Log.metadata["service"] = "shop"
  Log.metadata["id"] = .integer(4)
  Log.metadataProvider = { ["id": id] }
  Log.withMetadata(["id": id]) { Log.info("a") }
  Log.withInstance(NoLog()) { Log.info("a") }
}

func track(_ id: Int, _ text: String, _ texts: [String: String], _ order: Order) throws {
  Analytics.instance = try FileAnalytics(path: "events.jsonl")
  Analytics.instance = .calling { print($0.event.name) }
  Analytics.track("purchase", ["total": id, "list": .array([1])])
  Analytics.track("purchase", ["items": .array([["id": "a", "n": 1]])])
  Analytics.track("purchase", AmbientFields(texts))
  Analytics.track(.purchase(order))
  Analytics.track(Event("purchase"))
  Analytics.track(text)
  Analytics.track("purchase \(id)")
  Analytics.instance.track("purchase")
  Analytics.identify("ada")
  Analytics.identify(text, ["plan": "paid"])
  Analytics.user = "ada"
  Analytics.user = AnalyticsUser(text, ["plan": "paid"])
  Analytics.user?.traits["plan"] = "paid"
  Analytics.user = nil
  Analytics.alias("ada", previousID: text)
  Analytics.withUser("ada") { Analytics.track("purchase") }
  Analytics.withUser(AnalyticsUser(text)) { Analytics.track("purchase") }
  Analytics.withUser(nil) { Analytics.track("purchase") }
  Analytics.withInstance(NoAnalytics()) { Analytics.track("purchase") }
  Analytics.instance.flush()
  Analytics.reset()
}

func wait(_ date: Date, _ clock: any Clock<Duration> = Time.clock()) async throws {
  Time.instance = FixedTime(at: date)
  Time.instance = try FixedTime(at: "2026-11-27T00:00:00Z")
  Time.withInstance(FixedTime(at: date)) { print(Time.now) }
  print(Time.now, Time.uptime, date < Time.now, Time.now.timeIntervalSince(date))
  print(Time.now + 3, Time.now - 3, Time.now.advanced(by: 3), Time.now.addingTimeInterval(3))
  print(Time.now.advanced(by: .seconds(3)))
  try await Time.sleep(for: .seconds(1))
  try await Time.sleep(until: date)
  try await Time.sleep(until: .now + 1)
  try await Time.sleep(until: .now.advanced(by: .seconds(1)))
  try await Time.instance.sleep(for: .seconds(1))
  try await clock.sleep(for: .seconds(1))
  try await Time.timeout(after: .seconds(1)) { try await Time.sleep(for: .seconds(2)) }
  await Time.hold { print(date) }
  print(Time.measure { print(date) })
  print(try await Time.measure { try await Time.sleep(for: .zero) })
  Time.task { print(Time.now) }
  Time.backgroundTask { print(Time.now) }
  for try await now in Time.timer(every: .seconds(1)) { print(now) }
}

func read(_ value: AmbientValue) -> [AmbientValue] {
  switch value {
  case .null, .boolean: [.null, .string("a")]
  case .string(let text): [text].map(AmbientValue.string)
  default: [.array([.null, .integer(3), value])]
  }
}
