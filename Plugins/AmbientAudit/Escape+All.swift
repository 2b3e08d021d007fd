extension Escape {
  private static let task = "Swift.Task< where A == Swift.Never, B == Swift.Never>.sleep"

  private static let floatingPoint =
    "Swift.BinaryFloatingPoint< where A.RawSignificand: Swift.FixedWidthInteger>"

  /// The calls that the audit looks for; `docs/audit.md` lists the same calls.
  static let all = [
    Escape(
      "Date()", "Time.now", .escapes, "Foundation.Date.init() ->",
      "Foundation.NSDate.__allocating_init() ->"),
    Escape("Date.now", "Time.now", .escapes, "Foundation.Date.now.getter"),
    Escape(
      "Date(timeIntervalSinceNow:)", "Time.now + …", .escapes,
      "Foundation.Date.init(timeIntervalSinceNow:"),
    Escape(
      "Date.timeIntervalSinceNow", "date.timeIntervalSince(Time.now)", .escapes,
      "Foundation.Date.timeIntervalSinceNow"),
    Escape(
      "ContinuousClock", "Time.uptime, or Time.clock()", .escapes,
      "Swift.ContinuousClock.init() ->",
      "Swift.ContinuousClock.now.getter", "Swift.ContinuousClock.Instant.now.getter",
      "Swift.Clock< where A == Swift.ContinuousClock>.continuous"),
    Escape(
      "SuspendingClock", "Time.uptime, or Time.clock()", .escapes,
      "Swift.SuspendingClock.init() ->",
      "Swift.SuspendingClock.now.getter", "Swift.SuspendingClock.Instant.now.getter",
      "Swift.Clock< where A == Swift.SuspendingClock>.suspending"),
    Escape("Task.sleep(nanoseconds:)", "Time.sleep(for:)", .escapes, "\(task)(nanoseconds:"),
    Escape("Task.sleep(_:)", "Time.sleep(for:)", .escapes, "\(task)(Swift.UInt64)"),
    Escape(
      "Task.sleep(for:)", "Time.sleep(for:)", .escapes,
      // This is the default value of the parameter `clock`. A call that passes a clock is found at
      // the place where that clock is made.
      "default argument 2 of static (extension in Swift):\(task)<"),
    Escape(
      "Thread.sleep", "Time.sleep(for:)", .escapes, "Foundation.Thread.sleep(forTimeInterval:",
      "Foundation.Thread.sleep(until:"),
    Escape(
      "Timer.scheduledTimer", "Time.timer(every:)", .escapes, "Foundation.Timer.scheduledTimer("),
    Escape("DispatchTime.now()", "Time.uptime", .escapes, "Dispatch.DispatchTime.now() ->"),
    Escape("DispatchWallTime.now()", "Time.now", .escapes, "Dispatch.DispatchWallTime.now() ->"),
    Escape("asyncAfter", "Time.sleep(for:)", .escapes, "Dispatch.DispatchQueue.asyncAfter("),
    Escape(
      "systemUptime", "Time.uptime", .escapes, "Foundation.ProcessInfo.systemUptime.getter"),
    Escape("time", "Time.now", .escapes, "time"),
    Escape("gettimeofday", "Time.now", .escapes, "gettimeofday"),
    Escape("clock_gettime", "Time.now or Time.uptime", .escapes, "clock_gettime"),
    Escape("sleep", "Time.sleep(for:)", .escapes, "sleep"),
    Escape("usleep", "Time.sleep(for:)", .escapes, "usleep"),
    Escape("nanosleep", "Time.sleep(for:)", .escapes, "nanosleep", "clock_nanosleep"),
    Escape(
      "Calendar.current", "a calendar of the caller's", .escapes,
      "Foundation.Calendar.current.getter",
      "Foundation.Calendar.autoupdatingCurrent.getter"),
    Escape(
      "TimeZone.current", "a zone of the caller's", .escapes, "Foundation.TimeZone.current.getter",
      "Foundation.TimeZone.autoupdatingCurrent.getter"),
    Escape(
      "Locale.current", "a locale of the caller's", .escapes, "Foundation.Locale.current.getter",
      "Foundation.Locale.autoupdatingCurrent.getter"),
    Escape(
      "UUID()", "AmbientIdentifier.next()", .escapes, "Foundation.UUID.init() ->",
      "Foundation.NSUUID.__allocating_init() ->"),
    Escape(
      "print", "Log.info", .writes,
      "Swift.print(_: Any..., separator: Swift.String, terminator: Swift.String) ->",
      "Swift.debugPrint(_: Any..., separator: Swift.String, terminator: Swift.String) ->"),
    Escape("NSLog", "Log.info", .writes, "Foundation.NSLog("),
    Escape(
      "Date.timeIntervalSinceReferenceDate", "Time.now.timeIntervalSinceReferenceDate", .escapes,
      "Foundation.Date.timeIntervalSinceReferenceDate.getter"),
    Escape(
      "Timer.init", "Time.timer(every:)", .escapes,
      "Foundation.Timer.__allocating_init(timeInterval:",
      "Foundation.Timer.__allocating_init(fire:"),
    Escape("RunLoop.run", "Time.sleep(for:)", .escapes, "Foundation.RunLoop.run("),
    // `wait(until:)` is called through the vtable and leaves no symbol in the caller, so the audit
    // looks for the initializers.
    Escape(
      "NSCondition", "Time.timeout(after:)", .escapes,
      "Foundation.NSCondition.__allocating_init() ->",
      "Foundation.NSConditionLock.__allocating_init(condition:"),
    Escape("poll", "Time.timeout(after:)", .escapes, "poll", "ppoll", "select", "pselect"),
    Escape(
      "pthread_cond_timedwait", "Time.timeout(after:)", .escapes, "pthread_cond_timedwait",
      "pthread_cond_clockwait"),
    Escape("times", "Time.measure", .escapes, "times"),
    Escape("timespec_get", "Time.now", .escapes, "timespec_get"),
    Escape("alarm", "Time.sleep(for:)", .escapes, "alarm", "setitimer"),
    Escape("clock", "Time.measure", .escapes, "clock"),
    Escape(
      "DispatchSourceTimer.schedule", "Time.timer(every:)", .escapes,
      "Dispatch.DispatchSourceTimer.schedule("),
    Escape(
      "Calendar.isDateInToday", "isDate(_:inSameDayAs: Time.now)", .escapes,
      "Foundation.Calendar.isDateInToday(", "Foundation.Calendar.isDateInYesterday(",
      "Foundation.Calendar.isDateInTomorrow("),
    Escape(
      "random", "a generator of the caller's (using:)", .escapes,
      "Swift.FixedWidthInteger.random(in: Swift.Range<A>) ->",
      "Swift.FixedWidthInteger.random(in: Swift.ClosedRange<A>) ->",
      "\(floatingPoint).random(in: Swift.Range<A>) ->",
      "\(floatingPoint).random(in: Swift.ClosedRange<A>) ->",
      "Swift.Bool.random() ->", "random"),
    Escape("rand", "a generator of the caller's", .escapes, "rand", "rand_r"),
    Escape(
      "drand48", "a generator of the caller's", .escapes, "drand48", "erand48", "lrand48",
      "nrand48", "mrand48", "jrand48"),
    Escape(
      "arc4random", "a generator of the caller's", .escapes, "arc4random", "arc4random_uniform",
      "arc4random_buf"),
    Escape("getentropy", "a generator of the caller's", .escapes, "getentropy", "getrandom"),
    Escape(
      "globallyUniqueString", "AmbientIdentifier.next()", .escapes,
      "Foundation.ProcessInfo.globallyUniqueString.getter"),
    Escape(
      "shuffled", "shuffled(using:)", .escapes, "Swift.Sequence.shuffled() ->",
      "Swift.MutableCollection< where A: Swift.RandomAccessCollection>.shuffle() ->"),
    Escape(
      "randomElement", "randomElement(using:)", .escapes, "Swift.Collection.randomElement() ->"),
    Escape(
      "SystemRandomNumberGenerator", "a generator of the caller's", .escapes,
      "Swift.SystemRandomNumberGenerator.init() ->"),
    Escape(
      "Task.init", "Time.task", .leaves, "Swift.Task< where B == Swift.Never>.init(",
      "Swift.Task< where B == Swift.Error>.init("),
    Escape(
      "Task.detached", "AmbientScope.capture() and Time.task", .leaves,
      "Swift.Task< where B == Swift.Never>.detached(",
      "Swift.Task< where B == Swift.Error>.detached("),
    Escape(
      "MainActor", "Time.hold around it", .leaves, "Swift.MainActor.shared.getter",
      "Swift.MainActor.run<"),
    Escape(
      "DispatchQueue.async", "AmbientScope.capture() and Time.task", .leaves,
      "Dispatch.DispatchQueue.async("),
    Escape(
      "Task.immediate", "Time.task", .leaves, "Swift.Task< where B == Swift.Never>.immediate",
      "Swift.Task< where B == Swift.Error>.immediate"),
    Escape(
      "Thread.detachNewThread", "AmbientScope.capture() and Time.task", .leaves,
      "Foundation.Thread.detachNewThread(", "Foundation.Thread.__allocating_init(block:"),
    // Methods of these classes are called through the vtable and leave no symbol in the caller, so
    // the audit looks for the places that make an object or take a shared queue.
    Escape(
      "OperationQueue", "AmbientScope.capture() and Time.task", .leaves,
      "Foundation.OperationQueue.__allocating_init() ->", "Foundation.OperationQueue.main.getter",
      "Foundation.OperationQueue.current.getter", "Foundation.BlockOperation.__allocating_init("),
    Escape(
      "DispatchWorkItem", "AmbientScope.capture() and Time.task", .leaves,
      "Dispatch.DispatchWorkItem.__allocating_init("),
    Escape(
      "URLSession.data", "Time.hold around it", .leaves, "Foundation.URLSession.data(",
      "Foundation.URLSession.upload(", "Foundation.URLSession.download(",
      "Foundation.URLSession.bytes("),
    Escape(
      "URLSession", "Time.hold around its use", .leaves, "Foundation.URLSession.shared.getter",
      "Foundation.URLSession.__allocating_init("),
    Escape("DispatchQueue.sync", "an actor", .blocks, "Dispatch.DispatchQueue.sync"),
    Escape(
      "DispatchQueue.concurrentPerform", "a task group", .blocks,
      "Dispatch.DispatchQueue.concurrentPerform("),
    Escape("DispatchGroup.wait", "a task group", .blocks, "Dispatch.DispatchGroup.wait("),
    Escape(
      "DispatchSemaphore.wait", "an AsyncStream or a continuation", .blocks,
      "Dispatch.DispatchSemaphore.wait("),
    Escape(
      "executor", "Time.hold around it", .leaves, "Swift.withTaskExecutorPreference<",
      "Swift.SerialExecutor.asUnownedSerialExecutor()",
      "Swift.TaskExecutor.asUnownedTaskExecutor()"),
  ]
}
