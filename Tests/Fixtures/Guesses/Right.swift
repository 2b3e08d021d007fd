import Ambient
import Foundation

enum Payment: String, AmbientValueConvertible { case card }

func makeLogs(_ level: LogLevel) throws {
  _ = StdoutLog(level: .off)
  _ = StderrLog(level: .debug, format: .json)
  _ = try FileLog(path: "shop.log", level: LogLevels("info,Checkout=debug"))
  _ = LogRecorder(level: .from(level))
  let log = StdoutLog.reopeningPipe(level: .warning)
  log.level = .info
  log.level["Checkout"] = .off
  log.level.general = .debug
}

func write(
  _ id: Int, _ text: String, _ error: any Error, _ none: (any Error)?, _ texts: [String: String]
) {
  Log.info(
    "values by kind",
    [
      "list": .array(["a", 1, .null]), "text": .string("a"), "none": .null, "number": .integer(4),
      "large": .unsigned(4), "double": .double(0.5), "date": .date(.now), "flag": .boolean(true),
      "group": .fields(["a": 1]), "error": .error(error), "card": .private("1"),
      "payment": Payment.card, "raw": Payment.card.rawValue, "texts": texts,
      "last": texts.keys.sorted().suffix(2),
    ])
  Log.info("\(text)")
  Log.info(LogMessage(text))
  Log.info("a", AmbientFields(texts))
  Log.error("\(id, name: "id")", ["order": id], error: error)
  Log.instance.warning("a", error: none)
  Log.log(.info, "a", error: error)
  Analytics.track("purchase", ["total": id, "list": .array([1])])
  Analytics.track("purchase", AmbientFields(texts))
  Analytics.instance.track("purchase")
}

func read(_ value: AmbientValue) -> [AmbientValue] {
  switch value {
  case .null, .boolean: [.null, .string("a")]
  case .string(let text): [text].map(AmbientValue.string)
  default: [.array([.null, .integer(3), value])]
  }
}
