import Foundation
import Testing

@testable import Ambient

/// Each in a process of its own, since the gate is one for the process.
@Suite struct `The gate of all logs` {
  @Test func `is as low as the process's log, and follows its level`() async {
    await #expect(processExitsWith: .success) {
      #expect(LogGate.passes(.trace), "before the first call, everything passes")
      let log = LogRecorder(level: .warning)
      Log.instance = log
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

  @Test func `is as low as the default until there is a log`() async {
    await #expect(processExitsWith: .success) {
      setenv("LOG_LEVEL", "error,Checkout=notice", 1)
      Log.trace("opens the gate")
      #expect(!LogGate.passes(.info) && LogGate.passes(.notice))
    }
  }

  @Test func `is as low as the log of any scope that is alive`() async {
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

  @Test func `counts an isolating scope with the default's level`() async {
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

  @Test func `looks through a log of several`() async {
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

  @Test func `lets a scope log that was opened before it`() async {
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
