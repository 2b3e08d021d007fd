import Ambient

/// The services of one run: the place where the program chooses them, and the only one.
///
/// Everything below reaches them through `Time`, `Log` and `Analytics`, and knows no subclass.
struct Services: Sendable {
  var time: Time
  var log: Log
  var analytics: Analytics

  /// Makes them the process's services; time first, since the others are stamped with it.
  func install() {
    Time.instance = time
    Log.instance = log
    Analytics.instance = analytics
  }
}
