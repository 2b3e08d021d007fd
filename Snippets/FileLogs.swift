// SPDX-License-Identifier: Apache-2.0

// Blocks of docs/file-log.md.

import Ambient
import Foundation

// snippet.fileLog
Log.instance = try FileLog(path: "/var/log/shop/checkout.log", rotation: .daily(keep: 14))
// snippet.end

// snippet.durable
var durable = FileOptions(survives: .machine)
durable.permissions = 0o640
Log.instance = try FileLog(path: "/var/log/shop/audit.log", file: durable)
// snippet.end

// snippet.recover
let lines = try FileLog.recover(path: "/var/log/shop/checkout.log")
print("recovered \(lines) lines")
// snippet.end

// snippet.signals
FileLog.drainOnSignals()
// snippet.end

// snippet.lostPages
FileLog.survivesLostPages = false
// snippet.end

do {
  // snippet.crash
  Log.instance = try FileLog(path: "shop.log")
  for order in 1...100 {
    Log.info("order placed", ["order": order])
  }
  kill(getpid(), SIGKILL)
  // snippet.end
}
