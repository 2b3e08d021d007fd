// Types of a program that hide Ambient's, and what the compiler says in the line below each
// comment. The page about names has the same messages.
import Ambient

struct Event { let title: String }
struct Log { func info(_ text: String) {} }
enum Time {}
final class Analytics {}
struct Order { let id = "A-1" }

extension Event {
  static func purchase(_ order: Order) -> Event {
    // extra argument in call
    Event("purchase", ["transaction_id": order.id])
  }
}

func place(_ order: Order, _ event: Event) {
  // reference to member 'purchase' cannot be resolved without a contextual type
  Ambient.Analytics.track(.purchase(order))
  // 'track' is unavailable: write track("name", ["a": value]) or track(Ambient.Event(…)), a value as AmbientValue(describing: x), .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)
  Ambient.Analytics.track(event)
  // instance member 'info' cannot be used on type 'Log'; did you mean to use a value of this type instead?
  Log.info("placed")
  // type 'Time' has no member 'now'
  _ = Time.now
  // type 'Analytics' has no member 'track'
  Analytics.track("placed")
}

// type 'Till' does not conform to protocol 'RequiresLog'
struct Till: RequiresLog { let log: Log }

enum Screen {
  enum Log {}
  enum Event {}
  enum Ambient {}

  static func show() {
    // type 'Screen.Log' has no member 'info'
    Log.info("shown")
    // 'Screen.Event' cannot be constructed because it has no accessible initializers
    _ = Event("shown")
    // type 'Screen.Ambient' has no member 'Log'
    Ambient.Log.info("shown")
    _ = Ambient::Event("shown")
  }
}
