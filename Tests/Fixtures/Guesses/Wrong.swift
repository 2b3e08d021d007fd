import Ambient
import AmbientTesting
import AmbientVirtualTime
import Foundation
import Testing

enum Payment: String { case card }
struct Refused: Error {}
struct Order { let id: String }

func log(
  _ id: Int, _ text: String, _ error: any Error, _ none: (any Error)?, _ texts: [String: String],
  _ values: [String: Any], _ order: Order, _ log: Log
) throws {
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.trace(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  Log.trace("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.debug(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  Log.debug("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.info(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  Log.info("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.notice(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  Log.notice("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.warning(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  Log.warning("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.error(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  Log.error("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.critical(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  Log.critical("a", texts)
  // cannot convert value of type 'String' to expected argument type 'LogMessage'
  Log.log(.info, text, ["a": 1])
  // cannot convert value of type 'any Error' to expected argument type 'AmbientFields'
  Log.log(.info, "a", error)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  log.trace(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  log.trace("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  log.debug(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  log.debug("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  log.info(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  log.info("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  log.notice(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  log.notice("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  log.warning(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  log.warning("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  log.error(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  log.error("a", texts)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  log.critical(text)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  log.critical("a", texts)
  // cannot convert value of type 'String' to expected argument type 'LogMessage'
  log.log(.info, text, ["a": 1])
  // cannot convert value of type 'any Error' to expected argument type 'AmbientFields'
  log.log(.info, "a", error)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.info("a" + text)
  // extra argument in call
  Log.info("a", "b", id)
  // cannot convert value of type 'Int' to expected argument type 'AmbientFields'
  Log.info("a %d", id)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.info(id)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.info(order)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.info(["order": order.id])
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.info { "a" }
  // cannot convert value of type '[String : Any]' to expected argument type 'AmbientFields'
  Log.info("a", values)
  // 'nil' is not compatible with expected argument type 'AmbientFields'
  Log.info("a", nil)
  // of type 'Refused' to expected dictionary value type '(any AmbientValueConvertible)?'
  Log.info("a", ["error": Refused()])
  // of type 'any Error' to expected dictionary value type '(any AmbientValueConvertible)?'
  Log.info("a", ["error": error])
  // of type 'Payment' to expected dictionary value type '(any AmbientValueConvertible)?'
  Log.info("a", ["payment": Payment.card])
  // value of type 'Order' to expected dictionary value type '(any AmbientValueConvertible)?'
  Log.info("a", ["order": order])
  // value of type '[Any]' to expected dictionary value type '(any AmbientValueConvertible)?'
  Log.info("a", ["list": [1, "a"]])
  // '[[String : Any]]' to expected dictionary value type '(any AmbientValueConvertible)?'
  Log.info("a", ["items": [["id": "a", "n": 1]]])
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.error(error)
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.error("a", error)
  // argument type 'String' does not conform to expected type 'Error'
  Log.error(error, "a")
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Log.error("a", error, ["id": id])
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  log.error("a", none)
  // expected dictionary value type '(any AmbientValueConvertible)?'
  Log.info("a \(id, name: "id")", ["error": error])
  // expected dictionary value type '(any AmbientValueConvertible)?'
  Log.info("a \(text, privacy: .private)", ["order": order])
  // extraneous argument label 'metadata:' in call
  Log.info("a", metadata: ["id": "\(id)"])
  // extraneous argument label 'metadata:' in call
  Log.info("a", metadata: ["id": .string("b")])
  // extraneous argument label 'metadata:' in call
  log.info("a", metadata: ["id": "\(id)"])
  // extraneous argument label 'level:' in call
  Log.log(level: .info, "a")
  // write Log.info("\(x)") or Log.log(.info, "\(x)")
  Log.log("a")
  // 'warn' has been renamed to 'warning'
  Log.log(.warn, "a")
  // 'warn' has been renamed to 'warning'
  Log.warn("a")
  // 'warn' has been renamed to 'warning'
  log.warn("a")
  // write Log.instance.level, Log.instance.accepts(.debug)
  Log.level = .debug
  // write Log.instance.level, Log.instance.accepts(.debug)
  if Log.isEnabled { print(id) }
  // write Log.instance.level, Log.instance.accepts(.debug)
  if Log.accepts(.debug) { print(id) }
  // write Log.instance.level, Log.instance.accepts(.debug)
  if Log.isEnabled(.debug) { print(id) }
  // write Log.withMetadata(["a": value]) { … }
  Log.with(["id": id]) { print(id) }
  // write FileLog(path: url.path)
  Log.instance = try FileLog(url: URL(filePath: "shop.log"))
  // write instance.flush()
  Log.flush()
  // write await AmbientScope.shutdown(within: .seconds(5))
  Log.shutdown()
  // 'shared' has been renamed to 'instance'
  Log.shared.info("a")
  // write Log.info("…"), which needs no logger
  _ = Log(label: "shop")
  // write Log.info("…"), which needs no logger
  _ = Log("shop")
  // write StdoutLog(), NoLog(), StdoutAnalytics(), NoAnalytics()
  Log.instance = .stdout
  // write StdoutLog(), NoLog(), StdoutAnalytics(), NoAnalytics()
  Log.instance = .disabled
  // missing argument label 'level:' in call
  Log.instance = StdoutLog(.debug)
  // missing argument label 'path:' in call
  Log.instance = try FileLog("shop.log")
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  Log.withMetadata(texts) { print(id) }
  // write Log.withMetadata(["a": value]) { … }
  Log.withMetadata("id", id) { print(id) }
  // cannot assign value of type '[String : String]' to type 'AmbientFields'
  Log.metadata = texts
  // cannot assign value of type 'Int' to subscript of type 'AmbientValue'
  Log.metadata["id"] = id
  // { ($0 as? any AmbientValueConvertible)?.ambientValue ?? AmbientValue(describing: $0) })
  _ = AmbientFields(values)
}

func analytics(
  _ id: Int, _ text: String, _ error: any Error, _ texts: [String: String],
  _ values: [String: Any], _ order: Order, _ name: String?
) throws {
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  Analytics.track("a", texts)
  // cannot convert value of type '[String : Any]' to expected argument type 'AmbientFields'
  Analytics.track("a", values)
  // cannot convert value of type 'Order' to expected argument type 'AmbientFields'
  Analytics.track("a", order)
  // of type 'any Error' to expected dictionary value type '(any AmbientValueConvertible)?'
  Analytics.track("a", ["error": error])
  // of type 'Payment' to expected dictionary value type '(any AmbientValueConvertible)?'
  Analytics.track("a", ["payment": Payment.card])
  // '[[String : Any]]' to expected dictionary value type '(any AmbientValueConvertible)?'
  Analytics.track("a", ["items": [["id": "a", "n": 1]]])
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Analytics.track(order)
  // extraneous argument label 'properties:' in call
  Analytics.track("a", properties: ["id": id])
  // extraneous argument label 'parameters:' in call
  Analytics.track("a", parameters: ["id": id])
  // extraneous argument label 'event:' in call
  Analytics.track(event: "a")
  // extraneous argument labels 'name:properties:' in call
  Analytics.track(name: "a", properties: ["id": id])
  // of type 'any Error' to expected dictionary value type '(any AmbientValueConvertible)?'
  Analytics.instance.track("a", ["error": error])
  // write AmbientFields(dictionary), and values as .error(e), AmbientValue(describing: x)
  _ = Event("a", ["payment": Payment.card])
  // extraneous argument label 'properties:' in call
  _ = Event("a", properties: ["id": id])
  // extraneous argument label 'name:' in call
  _ = Event(name: "a")
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Analytics.logEvent("a")
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Analytics.logEvent("a", parameters: ["id": id])
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Analytics.screen("Home")
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Analytics.screen(title: "Home")
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Analytics.screen("Home", properties: ["id": id])
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Analytics.page("Home")
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Analytics.group("acme")
  // .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Analytics.group(groupId: "acme", traits: ["plan": "paid"])
  // write ("\(id)", ["plan": value]), a value as AmbientValue(describing: x)
  Analytics.identify(id)
  // cannot convert value of type '[String : String]' to expected argument type 'AmbientFields'
  Analytics.identify(text, texts)
  // extraneous argument label 'traits:' in call
  Analytics.identify(text, traits: ["plan": "paid"])
  // extraneous argument labels 'userId:traits:' in call
  Analytics.identify(userId: text, traits: ["plan": "paid"])
  // cannot assign value of type 'String' to type 'AnalyticsUser'
  Analytics.user = text
  // cannot convert value of type 'String' to expected argument type 'AnalyticsUser'
  Analytics.withUser(text) { print(id) }
  // cannot convert value of type 'String?' to expected argument type 'AnalyticsUser?'
  Analytics.withUser(name) { print(id) }
  // cannot convert value of type 'Int' to expected argument type 'AnalyticsUser'
  Analytics.withUser(id) { print(id) }
  // write Analytics.withUser(AnalyticsUser(id, traits)) { … }
  Analytics.withUser("ada", ["plan": "paid"]) { print(id) }
  // write Analytics.withUser(AnalyticsUser(id, traits)) { … }
  Analytics.withUser("ada", traits: ["plan": "paid"]) { print(id) }
  // write Analytics.alias(newID, previousID: …)
  Analytics.alias(text)
  // write Analytics.alias(newID, previousID: …)
  Analytics.alias(newId: text)
  // write Analytics.alias(newID, previousID: …)
  Analytics.alias(text, text)
  // write Analytics.alias(newID, previousID: …)
  Analytics.alias(text, userID: text)
  // write Analytics.alias(newID, previousID: …)
  Analytics.alias(text, newID: text)
  // write Analytics.alias(newID, previousID: …)
  Analytics.alias(text, to: text)
  // write Analytics.alias(newID, previousID: …)
  Analytics.alias(from: text, to: text)
  // write Analytics.alias(newID, previousID: …)
  Analytics.alias(previousID: text, userID: text)
  // write instance.flush()
  Analytics.flush()
  // write await AmbientScope.shutdown(within: .seconds(5))
  Analytics.shutdown()
  // 'shared' has been renamed to 'instance'
  Analytics.shared.track("a")
  // write StdoutLog(), NoLog(), StdoutAnalytics(), NoAnalytics()
  Analytics.instance = .stdout
  // write StdoutLog(), NoLog(), StdoutAnalytics(), NoAnalytics()
  Analytics.instance = .disabled
  // missing argument label 'path:' in call
  Analytics.instance = try FileAnalytics("events.jsonl")
}

func time(_ date: Date, _ text: String, _ fixed: FixedTime) throws {
  // write FixedTime(at: date)
  Time.instance = .frozen(at: date)
  // write FixedTime(at: date)
  Time.instance = .frozen("2026-11-27T00:00:00Z")
  // write FixedTime(at: date)
  Time.withInstance(.frozen(at: date)) { print(text) }
  // missing argument label 'at:' in call
  Time.instance = FixedTime(date)
  // write Time.virtual(from: date) { time in … }
  Time.instance = VirtualTime()
  // write Time.virtual(from: date) { time in … }
  Time.instance = VirtualTime(from: date)
  // write Time.virtual(from: date) { time in … }
  _ = VirtualTime()
  // write date.advanced(by: .seconds(1))
  _ = Time.now + .seconds(3)
  // write date.advanced(by: .seconds(1))
  _ = Time.now - .seconds(3)
  // cannot call value of non-function type 'Date'
  _ = Time.now()
  // cannot call value of non-function type 'Duration'
  _ = Time.uptime()
  // cannot assign to property: 'now' is a get-only property
  Time.now = date
  // write freeze(at: date) { … }, travel(to: date) { … } or travel(by: .seconds(1)) { … }
  Time.unfreeze()
  // write freeze(at: date) { … }, travel(to: date) { … } or travel(by: .seconds(1)) { … }
  Time.reset()
  // write advance(by: .seconds(1)), of a FixedTime or of the time in Time.virtual(from:)
  Time.advance(by: .seconds(1))
  // write advance(by: .seconds(1)), of a FixedTime or of the time in Time.virtual(from:)
  Time.advance(by: 1)
  // write advance(by: .seconds(1)), of a FixedTime or of the time in Time.virtual(from:)
  Time.advance(.seconds(1))
  // write advance(by: .seconds(1)), of a FixedTime or of the time in Time.virtual(from:)
  fixed.advance(by: 1)
  // write advance(by: .seconds(1)), of a FixedTime or of the time in Time.virtual(from:)
  fixed.advance(.seconds(1))
  // missing argument label 'every:' in call
  Time.timer(.seconds(1))
  // cannot convert value of type 'Int' to expected argument type 'Duration'
  Time.timer(every: 1)
}

func use(_ trait: any TestTrait) {
  // write .frozen(at: "2026-11-27T00:00:00Z"), .virtualTime(from: "2026-11-27T00:00:00Z")
  use(.frozen)
  // write .frozen(at: "2026-11-27T00:00:00Z"), .virtualTime(from: "2026-11-27T00:00:00Z")
  use(.virtualTime)
  // write .frozen(at: "2026-11-27T00:00:00Z"), .virtualTime(from: "2026-11-27T00:00:00Z")
  use(.virtual(from: "2026-11-27T00:00:00Z"))
  // of type 'Payment' to expected dictionary value type '(any AmbientValueConvertible)?'
  Analytics.identify("ada", ["plan": Payment.card])
  // of type 'Payment' to expected dictionary value type '(any AmbientValueConvertible)?'
  Analytics.user = AnalyticsUser("ada", ["plan": Payment.card])
  // write ("\(id)", ["plan": value]), a value as AmbientValue(describing: x)
  Analytics.user = AnalyticsUser(id: "ada")
  // write Analytics.instance.through(.sampling(0.1))
  Analytics.instance = StdoutAnalytics().sampled(0.1)
  // write Consent([.analytics: .denied]), for a queue or the stage .granted(consent, for:)
  Analytics.consent = .denied
}

func show(_ record: LogRecord, _ event: TrackedEvent) {
  // write record.metadata["exception.message"]
  print(record.error as Any)
  // write event.event.name, event.event.properties
  print(event.name)
  // write event.event.name, event.event.properties
  print(event.properties)
}

func wait(_ date: Date) async throws {
  // write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }
  try await Time.sleep(1)
  // write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }
  try await Time.sleep(.seconds(1))
  // write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }
  try await Time.sleep(seconds: 1)
  // write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }
  try await Time.sleep(nanoseconds: 1_000_000)
  // cannot convert value of type 'Int' to expected argument type 'Duration'
  try await Time.sleep(for: 1)
  // write date.advanced(by: .seconds(1))
  try await Time.sleep(until: .now + .seconds(1))
  // write date.advanced(by: .seconds(1))
  try await Time.sleep(until: Time.now + .seconds(1))
  // write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }
  try await Time.timeout(.seconds(1)) { print(date) }
  // write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }
  try await Time.timeout(1) { try await Time.sleep(for: .zero) }
  // write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }
  try await Time.timeout(seconds: 1) { try await Time.sleep(for: .zero) }
  // write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }
  try await Time.timeout(for: .seconds(1)) { try await Time.sleep(for: .zero) }
  // cannot convert value of type 'Int' to expected argument type 'Duration'
  try await Time.timeout(after: 1) { try await Time.sleep(for: .zero) }
  // write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }
  try await Time.withTimeout(.seconds(1)) { try await Time.sleep(for: .zero) }
  // write sleep(for: .seconds(1)) or timeout(after: .seconds(1)) { … }
  try await Time.withTimeout(after: .seconds(1)) { try await Time.sleep(for: .zero) }
  // write advance(by: .seconds(1)), of a FixedTime or of the time in Time.virtual(from:)
  try await Time.advance(by: .seconds(1))
}
