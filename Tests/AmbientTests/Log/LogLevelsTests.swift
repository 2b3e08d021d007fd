// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Log levels` {
  @Test func `a log accepts its level and all more severe ones`() {
    for (place, level) in LogLevel.allCases.enumerated() {
      let (below, others) = (LogLevel.allCases[..<place], LogLevel.allCases[place...])
      #expect(LogLevel.allCases.filter { $0 < level } == Array(below))
      let log = Log(level: .from(level))
      #expect(LogLevel.allCases.filter { log.accepts($0) } == Array(others))
      #expect(level.rank == place && LogLevels.from(level).lowestRank == place)
    }
    #expect(LogLevels.off.lowestRank == 7 && LogLevels.off.highestRank == 7)
    #expect(!LogLevel.allCases.contains { Log(level: .off).accepts($0) })
  }

  @Test func `general and module log levels are parsed from a text`() throws {
    let levels = try LogLevels(" warning , Checkout = DEBUG,Chatter=off,Other=warn, ")
    #expect(levels.general == .warning)
    #expect(levels["Checkout"] == .debug)
    #expect(levels["Chatter"] == .off)
    #expect(levels["Other"] == .warning)
    #expect(levels["Elsewhere"] == nil)
    #expect(levels.description == "warning,Chatter=off,Checkout=debug,Other=warning")
    #expect(try LogLevels("").general == .info)
    #expect(try LogLevels("info,A=debug,B=off") == LogLevels("B=off,info,A=debug"))
    #expect(try LogLevels("off").general == .off)
    #expect(try LogLevels("Shop_2=debug")["Shop_2"] == .debug)
    #expect(try LogLevels("debug,error,A=info,A=trace") == LogLevels("error,A=trace"))
  }

  @Test func `parsing an invalid log level or format throws an error that lists the valid choices`()
  {
    #expect(throws: SettingError.level("loud")) { try LogLevels("info,Checkout=loud") }
    #expect(throws: SettingError.level("verbose")) { try LogLevels("verbose") }
    #expect(throws: SettingError.module("=debug")) { try LogLevels("=debug") }
    #expect(throws: SettingError.level("debug=info")) { try LogLevels("Checkout=debug=info") }
    #expect(throws: SettingError.level("=debug")) { try LogLevels("Checkout==debug") }
    #expect(throws: SettingError.module("info;Checkout=debug")) {
      try LogLevels("info;Checkout=debug")
    }
    #expect(throws: SettingError.format("xml")) { try LogFormat(name: "xml") }
  }

  @Test func `invalid parts of a log level setting are skipped, and the valid parts apply`() {
    let (levels, errors) = LogLevels.read("loud,Checkout=debug,=info,Till=Quiet")
    #expect(levels.description == "info,Checkout=debug")
    #expect(
      errors == [
        SettingError.level("loud"), SettingError.module("=info"),
        SettingError.level("Quiet"),
      ])
  }

  @Test func `a log's levels can differ by module`() throws {
    let recorder = LogRecorder()
    recorder.level = try LogLevels("warning,AmbientTests=debug,Ambient=off")
    recorder.debug("from here")
    recorder.trace("too low")
    recorder.warning("from elsewhere", fileID: "Elsewhere/File.swift")
    recorder.info("too low elsewhere", fileID: "Elsewhere/File.swift")
    recorder.critical("from a module that is off", fileID: "Ambient/File.swift")
    #expect(recorder.messages == ["from here", "from elsewhere"])
    #expect(recorder.accepts(.debug))
    #expect(!recorder.accepts(.debug, fileID: "Elsewhere/File.swift"))
    // A module may be all of a file's name, and may begin as another does.
    #expect(recorder.accepts(.debug, fileID: "AmbientTests"))
    #expect(!recorder.accepts(.critical, fileID: "Ambient"))
    #expect(recorder.accepts(.warning, fileID: "AmbientTestsOfOthers/File.swift"))
    #expect(!recorder.accepts(.notice, fileID: "AmbientTestsOfOthers/File.swift"))
  }

  @Test func `a log's level can be changed while the log is in use`() {
    let recorder = LogRecorder(level: .error)
    Log.withInstance(recorder) {
      Log.info("a")
      recorder.level = .info
      Log.info("b")
      recorder.level = .off
      Log.critical("c")
      recorder.level["AmbientTests"] = .trace
      Log.trace("d")
    }
    #expect(recorder.messages == ["b", "d"])
  }

  @Test func `a log can be created with a level, with off, or with levels by module`() throws {
    let level = LogLevel.warning
    let logs: [Log] = [
      StdoutLog(level: .from(level)), StderrLog(level: .off), LogRecorder(level: .error),
      StdoutLog(level: try LogLevels("off,Shop=info")), .calling(level: .from(.notice)) { _ in },
      Log(level: .critical),
    ]
    #expect(
      logs.map(\.level.description) == [
        "warning", "off", "error", "off,Shop=info", "notice", "critical",
      ])
    let all: [LogLevels] = [.trace, .debug, .info, .notice, .warning, .error, .critical]
    #expect(all == LogLevel.allCases.map(LogLevels.from))
    #expect(!logs[1].accepts(.critical) && logs[0].accepts(.warning) && !logs[0].accepts(.notice))
  }

  @Test func `StdoutLog, StderrLog and FileLog use LOG_LEVEL unless they are given a level`() async
  {
    await #expect(processExitsWith: .success) {
      setenv("LOG_LEVEL", "warning,Shop=trace", 1)
      let folder = TemporaryFolder()
      let path = folder.path("shop.log")
      let given: [Log] = [
        StdoutLog(level: .error), StdoutLog.reopeningPipe(level: .error), StderrLog(level: .error),
        StderrLog.reopeningPipe(level: .error), try FileLog(path: path, level: .error),
        Log(level: .error), LogRecorder(level: .error), .calling(level: .error) { _ in },
      ]
      #expect(given.map(\.level.description) == Array(repeating: "error", count: 8))
      let others: [Log] = [
        StdoutLog(), StdoutLog.reopeningPipe(), StderrLog(), StderrLog.reopeningPipe(),
        try FileLog(path: path), Log(),
      ]
      #expect(others.map(\.level.description) == Array(repeating: "warning,Shop=trace", count: 6))
      let kept: [Log] = [LogRecorder(), .calling { _ in }]
      #expect(kept.map(\.level.description) == ["trace", "trace"])
    }
  }

  @Test func `a changed log level applies to the log's methods at once`() {
    let recorder = LogRecorder(level: .trace)
    for level in [LogLevel.error, .debug, .critical, .trace] {
      recorder.level = .from(level)
      for called in LogLevel.allCases { recorder.log(called, "\(level.rawValue)") }
      let count = recorder.messages.count { $0 == level.rawValue }
      #expect(count == LogLevel.allCases.drop { $0 != level }.count)
    }
  }

  @Test
  func `assigning a log's level drops its module levels, assigning level.general keeps them`()
    throws
  {
    let recorder = LogRecorder(level: try LogLevels("info,AmbientTests=off"))
    recorder.level.general = .debug
    #expect(recorder.level.description == "debug,AmbientTests=off")
    recorder.level = .debug
    #expect(recorder.level.description == "debug" && recorder.accepts(.debug))
  }

  @Test func `a module's log level off silences the module, and nil restores the general level`()
    throws
  {
    let recorder = LogRecorder(level: .info)
    recorder.level["AmbientTests"] = .off
    recorder.critical("off")
    recorder.level["AmbientTests"] = nil
    recorder.info("as in general")
    recorder.debug("too low")
    #expect(recorder.messages == ["as in general"])
    #expect(recorder.level == .info)
    #expect(recorder.level.description == "info")
    recorder.level["Chatter"] = .off
    #expect(try recorder.level == LogLevels("info,Chatter=off"))
  }

  @Test func `a log filters records by its own level, even if they come from another log`() {
    let recorder = LogRecorder()
    let other = LogRecorder(level: .error)
    recorder.info("low")
    recorder.error("high")
    for record in recorder.records { other.log(record) }
    #expect(other.records == [recorder.records[1]])
  }

  @Test func `an invalid LOG_LEVEL is reported even if only instance methods of a log are called`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      setenv("LOG_LEVEL", "loud", 1)
      let log = StdoutLog(level: .error)
      log.info("below")
      for _ in 1...2 { log.error("from a log") }
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors.components(separatedBy: "LOG_LEVEL: “loud”").count == 2, "\(errors)")
  }

  @Test
  func `log levels are read from LOG_LEVEL, and invalid parts of LOG_LEVEL are reported once`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .success,
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      setenv("LOG_LEVEL", "loud,warning,AmbientTests=debug", 1)
      setenv("LOG_PRIVATE", "perhaps", 1)
      Log.instance = StdoutLog()
      Log.debug("from here")
      Log.log(.info, "from elsewhere", fileID: "Elsewhere/File.swift")
      StdoutLog(level: .trace).trace("as the code says")
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(output.contains("debug    from here\n"))
    #expect(!output.contains("elsewhere"))
    #expect(output.contains("trace    as the code says\n"))
    #expect(errors.components(separatedBy: "LOG_LEVEL: “loud”").count == 2, "\(errors)")
    #expect(errors.contains("warning,AmbientTests=debug"), "\(errors)")
    #expect(errors.components(separatedBy: "“perhaps”").count == 2, "\(errors)")
  }
}
