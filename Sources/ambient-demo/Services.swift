// SPDX-License-Identifier: Apache-2.0

import Ambient

/// The services of one run, chosen when its command is prepared. By default, nothing is logged or
/// tracked.
///
/// The code of the shop uses them through `Time`, `Log` and `Analytics`, and does not depend on
/// their subclasses.
struct Services: Sendable {
  var time: Time = DefaultTime()
  var log: Log = NoLog()
  var analytics: Analytics = NoAnalytics()
  /// The queues of the events and records that are sent to servers.
  var queues: [ServerQueue] = []

  /// Assigns the services to the process. The time is assigned first, because the log and the
  /// analytics use it.
  func install() {
    Time.instance = time
    Log.instance = log
    Analytics.instance = analytics
  }

  /// Stops the services. Waits for them for at most six seconds.
  func stop() async { await AmbientScope.shutdown(within: .seconds(6)) }

  /// Removes the temporary queues. The program calls this function after `stop()`, or without
  /// `stop()` if Ctrl-C ends the program at once.
  ///
  /// - Returns: The reports about undelivered events.
  func leave() -> [String] {
    defer { for queue in queues { queue.tidyUp() } }
    return queues.flatMap(\.report)
  }
}
