// SPDX-License-Identifier: Apache-2.0

// Collectors: Google Analytics, Adobe Analytics, OpenTelemetry, ClickHouse, and a custom collector.

import Ambient
import AmbientCollectors
import Foundation

let secret = "as the environment has it"

// snippet.google
Analytics.instance = try GoogleAnalytics(
  measurementID: "G-12345ABCDE", apiSecret: secret,
  queue: EventQueue(folder: "/var/lib/shop/google"))
// snippet.end

// snippet.google-shop
var shopOptions = GoogleOptions()
shopOptions.mapping = .googleShop
let shop = try GoogleAnalytics(
  measurementID: "G-12345ABCDE", apiSecret: secret,
  queue: EventQueue(folder: "/var/lib/shop/google-shop"), options: shopOptions)
// snippet.end

let tokens = Tokens()

// snippet.adobe
Analytics.instance = try AdobeAnalytics(
  datastreamID: "0123abcd-0123-4567-89ab-0123456789ab",
  queue: EventQueue(folder: "/var/lib/shop/adobe"))
// snippet.end

// snippet.adobe-server
var serverOptions = AdobeOptions()
serverOptions.userNamespace = AdobeOptions.UserNamespace("CRMID")
serverOptions.mapping = .shop
let server = try AdobeAnalytics(
  datastreamID: "0123abcd-0123-4567-89ab-0123456789ab",
  credentials: AdobeCredentials(apiKey: secret, organization: secret) { tokens.current },
  queue: EventQueue(folder: "/var/lib/shop/adobe-server"), options: serverOptions)
// snippet.end

// snippet.adobe-mapping
let signUps = try AdobeMapping(
  events: ["sign_up": [.event(7).once()]],
  variables: [
    "method": [.eVar(12), .prop(3)], "tags": [.list(1, delimiter: "|")], "page": [.pageName],
    "user.plan": [.eVar(13)],
  ])
var mapped = AdobeOptions()
mapped.mapping = .shop.adding(signUps)
// snippet.end

// snippet.adobe-visitor
let device = AnalyticsUser("ada", ["fpid": "79bf8e83-f708-414b-b1ed-5789ff33bf0b"])
Analytics.withUser(device) {
  Analytics.track(Event("login", ["method": "password"]))
}
// snippet.end

let instanceID = "0123456789abcdef0123456789abcdef"

// snippet.app
var appOptions = GoogleOptions()
appOptions.endpoint = .europe
appOptions.unknownOutcome = .dropped
let app = try GoogleAnalytics(
  firebaseAppID: "1:1234:ios:a1b2c3", appInstanceID: instanceID, apiSecret: secret,
  queue: EventQueue(folder: "/var/lib/shop/google-app"), options: appOptions)
// snippet.end

// snippet.google-surroundings
let request = AnalyticsUser(
  "ada",
  [
    "user_location": ["country_id": "US", "region_id": "US-CA", "city": "Mountain View"],
    "device": ["category": "mobile", "operating_system": "Android", "language": "en"],
  ])
// snippet.end
_ = request

// snippet.items
let mug: AmbientFields = ["item_id": "mug", "item_name": "Mug", "price": 12.5, "quantity": 2]
Analytics.track(
  Event(
    "purchase", ["transaction_id": "A-17", "currency": "EUR", "value": 25, "items": [mug]]))
// snippet.end

// snippet.visitor
let visitor = AnalyticsUser("ada", ["client_id": "1234567.7654321", "session_id": "1795755600"])
Analytics.withUser(visitor) {
  Analytics.track(Event("login", ["method": "password"]))
}
// snippet.end

// snippet.otlp
var otlp = OTLPOptions()
otlp.endpoint = .base("https://collector.example:4318")
otlp.headers = ["Authorization": "Bearer \(secret)"]
otlp.resource = ["service.name": "shop", "service.version": "2.1"]
otlp.mapping = .otlpShop
Analytics.instance = try OTLPAnalytics(
  queue: EventQueue(folder: "/var/lib/shop/otlp-events"), options: otlp)
Log.instance = try OTLPLog(queue: EventQueue(folder: "/var/lib/shop/otlp-log"), options: otlp)
// snippet.end

let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// snippet.trace
Analytics.instance = try OTLPAnalytics(queue: EventQueue(folder: "/var/lib/shop/otlp"))
  .through(.enriching(fromLog: "traceparent"))
Log.withMetadata(["traceparent": header]) {
  Log.info("paid")
  Analytics.track(Event("paid"))
}
// snippet.end

// snippet.clickhouse
Analytics.instance = try HTTPAnalytics.clickHouse(
  url: "http://localhost:8123/", table: ClickHouseTable("events"),
  queue: EventQueue(folder: "/var/lib/shop/clickhouse"))
// snippet.end

// snippet.mapping
var options = GoogleOptions()
options.mapping = .renaming(
  events: ["order placed": "purchase"],
  properties: ["order": "transaction_id", "total": "value"])
// snippet.end

/// Supplies the current token for a server.
struct Tokens {
  let current = "as the service for tokens has said last"
}
