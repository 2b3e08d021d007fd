// SPDX-License-Identifier: Apache-2.0

// Events, the users they belong to, and the stages before a destination.

import Ambient
import AmbientCollectors
import Foundation

struct Order: Encodable {
  struct Item: Encodable {
    let name = "coffee"
    let price = 2.5
  }
  let id = "A-17"
  let total = 19.9
  let items = [Item()]
}

// A fixed time, because the page shows the output of this program.
Time.instance = try FixedTime(at: "2026-11-27T05:00:00Z")

let order = Order()
let mail = "ada@example.org"

func handle(_ request: String) {}

// snippet.declare
extension Event {
  static func purchase(_ order: Order) -> Event {
    Event("purchase", ["order": order.id, "value": order.total, "currency": "EUR"])
  }
}
// snippet.end

// snippet.track
Analytics.track(.purchase(order))
// snippet.end

// snippet.line
Analytics.instance = StdoutAnalytics()
Analytics.withUser("ada") { Analytics.track(.purchase(order)) }
// snippet.end

// snippet.encoding
let placed = try Event("order", encoding: order)
Analytics.track(placed)
// snippet.end

// snippet.identify
Analytics.identify("ada", ["plan": "paid"])
// …
Analytics.reset()
// snippet.end

// snippet.users
Analytics.withUser("ada") {
  handle("GET /")  // all events of this request are ada's
}
Analytics.track(Event("refund", ["order": order.id], user: "bob"))
// snippet.end

// snippet.private
Analytics.track(Event("signed up", ["mail": .private(mail), "plan": "paid"]))
// snippet.end

// snippet.stages
let file = try FileAnalytics(path: "events.jsonl")
Analytics.instance = file.through(
  .filtering { $0.event.name != "heartbeat" },
  try .sampling(0.1).when { $0.event.name == "view_item" },
  .enriching(["app": "shop", "version": "2.1"]),
  .redacting("mail", "phone"))
// snippet.end

// snippet.own
let lowercased = EventStage { event in
  var event = event
  event.event.name = event.event.name.lowercased()
  return event
}
// snippet.end

// snippet.consent
let consent = try Consent(path: "consent.json")
Analytics.instance = file.through(.granted(consent, for: .analytics))

consent.set(.granted, for: .analytics)  // the user pressed “Accept”
consent.onChange { purpose, status in
  Log.info("consent", ["purpose": purpose.rawValue, "status": status.rawValue])
}
// snippet.end

Analytics.track(.purchase(order))

// snippet.read
for line in try String(contentsOfFile: "events.jsonl", encoding: .utf8).split(separator: "\n") {
  let event = try TrackedEvent(json: String(line))
  print(event.date, event.event.name, event.user?.id ?? "nobody")
}
// snippet.end
