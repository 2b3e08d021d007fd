// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

/// Each in a process of its own, since the gate is one for the process.
@Suite struct `Log gate` {
  @Test func `LogGate follows level changes and replacements of the process's log`() async {
    await #expect(processExitsWith: .success) {
      #expect(LogGate.passes(.trace), "before the first call, everything passes")
      let log = LogRecorder(level: .warning)
      Log.instance = log
      #expect(LogGate.passes(.trace), "no call was made yet")
      Log.trace("opens the gate")
      #expect(!LogGate.passes(.notice) && LogGate.passes(.warning))
      log.level = .debug
      #expect(!LogGate.passes(.trace) && LogGate.passes(.debug))
      log.level = .off
      #expect(!LogGate.passes(.critical))
      log.level["Checkout"] = .info
      #expect(!LogGate.passes(.debug) && LogGate.passes(.info))
      Log.instance = LogRecorder(level: .error)
      #expect(!LogGate.passes(.warning) && LogGate.passes(.error))
      log.level = .trace
      #expect(!LogGate.passes(.warning), "a replaced log has no say")
    }
  }

  @Test func `LogGate lets through exactly the levels that the process's log accepts`() async {
    await #expect(processExitsWith: .success) {
      let recorder = LogRecorder()
      Log.instance = recorder
      Log.trace("opens the gate")
      let ways: [(name: String, call: () -> Void)] = [
        ("functions", { callFunctions() }), ("methods", { callMethods(of: recorder) }),
        ("Log.log", { callEach { Log.log($0, $1) } }),
        ("log", { callEach { recorder.log($0, $1) } }),
      ]
      for (rank, level) in LogLevel.allCases.enumerated() {
        recorder.level = .from(level)
        let accepted = Array(LogLevel.allCases[rank...])
        #expect(LogLevel.allCases.filter { LogGate.passes($0) } == accepted)
        for (name, call) in ways {
          let before = recorder.records.count
          call()
          let records = recorder.records.dropFirst(before)
          #expect(records.map(\.level) == accepted, "\(name) at \(level)")
          #expect(records.map(\.message.description) == accepted.map(\.rawValue))
        }
      }
    }
  }

  @Test func `LogGate doesn't block method calls on a log that isn't installed`() async {
    await #expect(processExitsWith: .success) {
      Log.instance = NoLog()
      Log.critical("opens the gate")
      #expect(!LogGate.passes(.critical))
      for (rank, level) in LogLevel.allCases.enumerated() {
        let recorder = LogRecorder(level: .from(level))
        callMethods(of: recorder)
        #expect(recorder.records.map(\.level) == Array(LogLevel.allCases[rank...]))
      }
    }
  }

  @Test func `until a log is assigned, LogGate lets through the levels set by LOG_LEVEL`() async {
    await #expect(processExitsWith: .success) {
      setenv("LOG_LEVEL", "error,Checkout=notice", 1)
      Log.trace("opens the gate")
      #expect(!LogGate.passes(.info) && LogGate.passes(.notice))
    }
  }

  @Test func `while a scope exists, LogGate lets through the levels of the scope's log`() async {
    await #expect(processExitsWith: .success) {
      Log.instance = LogRecorder(level: .error)
      Log.error("opens the gate")
      let debugging = LogRecorder(level: .debug)
      var scope: AmbientScope? = Log.withInstance(debugging) {
        #expect(LogGate.passes(.debug))
        return AmbientScope.capture()
      }
      #expect(LogGate.passes(.debug), "the scope outlives its block")
      Log.debug("not accepted outside")
      scope?.run { Log.debug("accepted inside") }
      #expect(debugging.messages == ["accepted inside"])
      scope = nil
      #expect(!LogGate.passes(.warning) && LogGate.passes(.error))
    }
  }

  @Test func `in an isolating scope, LogGate lets through the default level and above`() async {
    await #expect(processExitsWith: .success) {
      Log.instance = LogRecorder(level: .error)
      Log.error("opens the gate")
      AmbientScope.isolated {
        #expect(!LogGate.passes(.debug) && LogGate.passes(.info))
        let recorder = LogRecorder()
        Log.instance = recorder
        Log.trace("accepted")
        #expect(recorder.messages == ["accepted"])
        Log.instance = NoLog()
        #expect(!LogGate.passes(.debug), "a replaced log has no say")
      }
      #expect(!LogGate.passes(.warning) && LogGate.passes(.error))
    }
  }

  @Test func `until the last isolating scope ends, LogGate lets through the default level`() async {
    await #expect(processExitsWith: .success) {
      let outer = AmbientScope.isolated { AmbientScope.capture() }
      Log.instance = LogRecorder(level: .error)
      Log.error("opens the gate")
      #expect(!LogGate.passes(.debug) && LogGate.passes(.info), "a scope is older than the log")
      AmbientScope.isolated {}
      #expect(LogGate.passes(.info), "the other scope lives")
      outer.run {}
    }
    await #expect(processExitsWith: .success) {
      Log.instance = LogRecorder(level: .error)
      Log.error("opens the gate")
      for _ in 1...2 {
        AmbientScope.isolated {
          AmbientScope.isolated {}
          #expect(!LogGate.passes(.debug) && LogGate.passes(.info))
        }
        #expect(!LogGate.passes(.warning) && LogGate.passes(.error))
      }
    }
  }

  @Test func `LogGate lets through every level that any log inside a MultiLog accepts`() async {
    await #expect(processExitsWith: .success) {
      let one = LogRecorder(level: .warning)
      let other = LogRecorder(level: .error)
      Log.instance = MultiLog(one, MultiLog(other))
      Log.error("opens the gate")
      #expect(!LogGate.passes(.notice) && LogGate.passes(.warning))
      other.level = .debug
      #expect(!LogGate.passes(.trace) && LogGate.passes(.debug))
      Log.instance = one
      #expect(!LogGate.passes(.notice))
    }
  }

  @Test func `in a scope opened before the first log call, LogGate lets records through`() async {
    await #expect(processExitsWith: .success) {
      AmbientScope.isolated {
        let recorder = LogRecorder()
        Log.instance = recorder
        Log.trace("first of all")
        #expect(recorder.messages == ["first of all"])
      }
    }
  }
}

/// Calls the function of each level, whose record has the level's name as its message.
private func callFunctions() {
  Log.trace("trace")
  Log.debug("debug")
  Log.info("info")
  Log.notice("notice")
  Log.warning("warning")
  Log.error("error")
  Log.critical("critical")
}

/// Calls the log's method of each level, whose record has the level's name as its message.
private func callMethods(of log: Log) {
  log.trace("trace")
  log.debug("debug")
  log.info("info")
  log.notice("notice")
  log.warning("warning")
  log.error("error")
  log.critical("critical")
}

/// Calls `log` for each level, with the level's name as the message.
private func callEach(_ log: (LogLevel, LogMessage) -> Void) {
  for level in LogLevel.allCases { log(level, LogMessage(level.rawValue)) }
}
