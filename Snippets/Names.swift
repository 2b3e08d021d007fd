// SPDX-License-Identifier: Apache-2.0

// A program that has types named as Ambient's.

// snippet.alias
public import Ambient

public typealias Event = Ambient.Event
// snippet.end
struct Order {
  let id = "A-1"
  let total = 1_250
}

struct Log {}
struct Time {}

// snippet.extension
extension Ambient.Event {
  static func purchase(_ order: Order) -> Self {
    Self("purchase", ["transaction_id": order.id, "value": order.total])
  }
}
// snippet.end

func place(_ order: Order) {
  // snippet.qualified
  Ambient.Log.info("order placed", ["at": Ambient.Time.now])
  Analytics.track(.purchase(order))
  // snippet.end
  // snippet.selector
  Ambient::Log.info("order placed", ["at": Ambient::Time.now])
  // snippet.end
}

// snippet.mixin
struct Till: RequiresLog {
  let log: Ambient.Log
}
// snippet.end

place(Order())
_ = Till(log: NoLog())
