// SPDX-License-Identifier: Apache-2.0

// Blocks of docs/servers.md.

import Ambient
import Dispatch
@preconcurrency import Foundation

// snippet.cloudLog
let googleCloud = LogFormat { record in
  let level = record.level == .trace ? LogLevel.debug : record.level
  let line = LogFormat.json.line(record).dropFirst()  // without the brace
  return #"{"severity":"\#(level.rawValue.uppercased())","# + line
}
Log.instance = StdoutLog(format: googleCloud)
// snippet.end

// snippet.lineBuffer
setvbuf(stdout, nil, _IOLBF, 0)  // before the first print
// snippet.end

// snippet.privileges
func openLog(user: uid_t, group: gid_t) throws {
  let folder = "/var/log/shop"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  guard chown(folder, user, group) == 0, setgroups(0, nil) == 0, setgid(group) == 0,
    setuid(user) == 0
  else { fatalError("cannot become the user \(user)") }
  Log.instance = try FileLog(path: "\(folder)/shop.log")
}
// snippet.end

// snippet.server
Log.instance = StdoutLog(format: .json)
Log.metadata = ["service": "shop"]
Analytics.instance = try FileAnalytics(path: "/data/events.jsonl", rotation: .daily(keep: 14))

// In a function: at the top level, the handler would belong to the main actor, but run on another
// thread: a data race, or a trap.
func stopAtSIGTERM() {
  signal(SIGTERM, SIG_IGN)
  let stop = DispatchSource.makeSignalSource(signal: SIGTERM)
  stop.setEventHandler {
    _ = stop  // retains the source: otherwise it ends with the function, and SIGTERM is ignored
    Task {
      Log.notice("stopping")
      await AmbientScope.shutdown(within: .seconds(8))
      exit(0)
    }
  }
  stop.activate()
}

stopAtSIGTERM()
Log.info("order placed", ["order": 42])
Analytics.track(Event("order placed", ["order": 42]))
dispatchMain()  // or the server's own loop
// snippet.end
