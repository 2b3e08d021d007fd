/// A call whose outcome no scope of Ambient decides, so that a test cannot hold it.
struct Escape {
  /// What reports and the list of what is allowed call it.
  let name: String
  /// What to write in its place.
  let instead: String
  /// How the demangled symbol begins, without `static` and the like; a C function's whole name.
  let symbols: [String]

  private init(_ name: String, _ instead: String, _ symbols: String...) {
    self.name = name
    self.instead = instead
    self.symbols = symbols
  }

  /// The escape that a demangled symbol stands for, if it is one.
  static func find(_ demangled: String) -> Escape? {
    let symbol = bare(demangled)
    if let escape = byFunction[symbol] { return escape }
    // What is without a dot is a C function, which a prefix would confuse with others.
    return symbol.contains(".") ? bySymbol.first { symbol.hasPrefix($0.0) }?.1 : nil
  }

  /// The symbol without what does not tell one call from another: how it is reached, and which of
  /// Foundation's modules declares it.
  private static func bare(_ symbol: String) -> String {
    var symbol = symbol
    for word in ["async function pointer to ", "property descriptor for ", "static "] {
      if symbol.hasPrefix(word) { symbol.removeFirst(word.count) }
    }
    for word in ["(extension in Swift):", "(extension in Foundation):"] {
      if symbol.hasPrefix(word) { symbol.removeFirst(word.count) }
    }
    for module in ["FoundationEssentials.", "FoundationInternationalization."] {
      if symbol.hasPrefix(module) {
        symbol = "Foundation." + symbol.dropFirst(module.count)
      }
    }
    return symbol
  }

  private static let byFunction = Dictionary(
    uniqueKeysWithValues: all.flatMap { escape in
      escape.symbols.filter { !$0.contains(".") }.map { ($0, escape) }
    })

  private static let bySymbol = all.flatMap { escape in
    escape.symbols.filter { $0.contains(".") }.map { ($0, escape) }
  }

  private static let task = "Swift.Task< where A == Swift.Never, B == Swift.Never>.sleep"

  /// Everything that is looked for, as `docs/audit.md` lists it.
  static let all = [
    Escape(
      "Date()", "Time.now", "Foundation.Date.init() ->", "Foundation.NSDate.__allocating_init() ->"),
    Escape("Date.now", "Time.now", "Foundation.Date.now.getter"),
    Escape(
      "Date(timeIntervalSinceNow:)", "Time.now + …", "Foundation.Date.init(timeIntervalSinceNow:"),
    Escape(
      "Date.timeIntervalSinceNow", "date.timeIntervalSince(Time.now)",
      "Foundation.Date.timeIntervalSinceNow"),
    Escape(
      "ContinuousClock", "Time.uptime, or Time.clock", "Swift.ContinuousClock.init() ->",
      "Swift.ContinuousClock.now.getter", "Swift.ContinuousClock.Instant.now.getter",
      "Swift.Clock< where A == Swift.ContinuousClock>.continuous"),
    Escape(
      "SuspendingClock", "Time.uptime, or Time.clock", "Swift.SuspendingClock.init() ->",
      "Swift.SuspendingClock.now.getter", "Swift.SuspendingClock.Instant.now.getter",
      "Swift.Clock< where A == Swift.SuspendingClock>.suspending"),
    Escape("Task.sleep(nanoseconds:)", "Time.sleep(for:)", "\(task)(nanoseconds:"),
    Escape("Task.sleep(_:)", "Time.sleep(for:)", "\(task)(Swift.UInt64)"),
    Escape(
      "Task.sleep(for:)", "Time.sleep(for:)",
      // The clock that is not given.
      "default argument 2 of static (extension in Swift):\(task)<"),
    Escape(
      "Thread.sleep", "Time.sleep(for:)", "Foundation.Thread.sleep(forTimeInterval:",
      "Foundation.Thread.sleep(until:"),
    Escape(
      "Timer.scheduledTimer", "Time.timer(every:)", "Foundation.Timer.scheduledTimer("),
    Escape("DispatchTime.now()", "Time.uptime", "Dispatch.DispatchTime.now() ->"),
    Escape("DispatchWallTime.now()", "Time.now", "Dispatch.DispatchWallTime.now() ->"),
    Escape("asyncAfter", "Time.sleep(for:)", "Dispatch.DispatchQueue.asyncAfter("),
    Escape(
      "systemUptime", "Time.uptime", "Foundation.ProcessInfo.systemUptime.getter"),
    Escape("time", "Time.now", "time"),
    Escape("gettimeofday", "Time.now", "gettimeofday"),
    Escape("clock_gettime", "Time.now or Time.uptime", "clock_gettime"),
    Escape("sleep", "Time.sleep(for:)", "sleep"),
    Escape("usleep", "Time.sleep(for:)", "usleep"),
    Escape("nanosleep", "Time.sleep(for:)", "nanosleep", "clock_nanosleep"),
    Escape(
      "Calendar.current", "a calendar of the caller's", "Foundation.Calendar.current.getter",
      "Foundation.Calendar.autoupdatingCurrent.getter"),
    Escape(
      "TimeZone.current", "a zone of the caller's", "Foundation.TimeZone.current.getter",
      "Foundation.TimeZone.autoupdatingCurrent.getter"),
    Escape(
      "Locale.current", "a locale of the caller's", "Foundation.Locale.current.getter",
      "Foundation.Locale.autoupdatingCurrent.getter"),
    Escape(
      "UUID()", "Identifier.next()", "Foundation.UUID.init() ->",
      "Foundation.NSUUID.__allocating_init() ->"),
    Escape(
      "print", "Log.info",
      "Swift.print(_: Any..., separator: Swift.String, terminator: Swift.String) ->",
      "Swift.debugPrint(_: Any..., separator: Swift.String, terminator: Swift.String) ->"),
    Escape("NSLog", "Log.info", "Foundation.NSLog("),
  ]
}
