// SPDX-License-Identifier: Apache-2.0

// The calls that most programs make, as the README has them.

import Ambient
import AmbientCollectors
import Foundation

struct Order {
  let id: String
  let total: Int
}

func serve(_ order: Order, _ request: UUID, _ refused: any Error, _ customer: String) throws {
  // snippet.calls
  Log.withMetadata(["request": request]) {
    Log.error("not paid", ["order": AmbientValue(describing: order)], error: refused)
  }
  Analytics.user = AnalyticsUser(customer, ["plan": "pro"])
  Analytics.instance = try HTTPAnalytics(
    url: "https://events.example/", queue: EventQueue(folder: "events"))
  // snippet.end
}

func wait(_ load: @escaping @Sendable () async throws -> [Order]) async throws {
  // snippet.waits
  let orders = try await Time.timeout(after: .seconds(5)) { try await load() }
  for try await tick in Time.timer(every: .seconds(60)) {
    Log.debug("\(orders.count) orders at \(tick)")
  }
  // snippet.end
}
