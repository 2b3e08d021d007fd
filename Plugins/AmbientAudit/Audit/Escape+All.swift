// SPDX-License-Identifier: Apache-2.0

extension Escape {
  private static let task = "Swift.Task< where A == Swift.Never, B == Swift.Never>.sleep"

  private static let floatingPoint =
    "Swift.BinaryFloatingPoint< where A.RawSignificand: Swift.FixedWidthInteger>"

  /// The advice for work that outlives the call that started it.
  private static let worker =
    "scope.run { Time.backgroundTask { } }, with a let scope = AmbientScope.capture() of the type"

  /// The advice for random numbers of the system.
  private static let generator = "AmbientRandomNumberGenerator, except for secrets"

  private static let dateStyle = "Foundation.FormatStyle< where A == Foundation.Date."

  /// The calls that the audit looks for. `docs/audit.md` groups them by their replacement.
  static let all = [
    Escape(
      "Date()", "Time.now", .escapes, "Foundation.Date.init() ->",
      "Foundation.NSDate.__allocating_init() ->"),
    Escape("Date.now", "Time.now", .escapes, "Foundation.Date.now.getter"),
    Escape(
      "Date(timeIntervalSinceNow:)", "Time.now + …", .escapes,
      "Foundation.Date.init(timeIntervalSinceNow:",
      "Foundation.NSDate.__allocating_init(timeIntervalSinceNow:"),
    Escape(
      "Date.timeIntervalSinceNow", "date.timeIntervalSince(Time.now)", .escapes,
      "Foundation.Date.timeIntervalSinceNow", "Foundation.NSDate.timeIntervalSinceNow"),
    Escape(
      "DateInterval()", "DateInterval(start: Time.now, duration:)", .escapes,
      "Foundation.DateInterval.init() ->", "Foundation.NSDateInterval.__allocating_init() ->"),
    Escape(
      "ContinuousClock", "Time.uptime (a Duration), or Time.clock() (of TimeClock.Instant)",
      .escapes,
      "Swift.ContinuousClock.init() ->",
      "Swift.ContinuousClock.now.getter", "Swift.ContinuousClock.Instant.now.getter",
      "Swift.Clock< where A == Swift.ContinuousClock>.continuous"),
    Escape(
      "SuspendingClock", "Time.uptime (a Duration), or Time.clock() (of TimeClock.Instant)",
      .escapes,
      "Swift.SuspendingClock.init() ->",
      "Swift.SuspendingClock.now.getter", "Swift.SuspendingClock.Instant.now.getter",
      "Swift.Clock< where A == Swift.SuspendingClock>.suspending"),
    Escape("Task.sleep(nanoseconds:)", "Time.sleep(for:)", .escapes, "\(task)(nanoseconds:"),
    Escape("Task.sleep(_:)", "Time.sleep(for:)", .escapes, "\(task)(Swift.UInt64)"),
    Escape(
      "Task.sleep(for:)", "Time.sleep(for:)", .escapes,
      // This is the default value of the parameter `clock`. A call that passes a clock is found at
      // the place where that clock is made.
      "default argument 2 of \(task)<"),
    Escape(
      "Thread.sleep", "Time.sleep(for:)", .escapes, "Foundation.Thread.sleep(forTimeInterval:",
      "Foundation.Thread.sleep(until:"),
    Escape(
      "Timer.scheduledTimer", "Time.timer(every:) (an AsyncSequence)", .escapes,
      "Foundation.Timer.scheduledTimer("),
    Escape(
      "DispatchTime.now()", "Time.uptime (a Duration)", .escapes, "Dispatch.DispatchTime.now() ->",
      "dispatch_time"),
    Escape(
      "DispatchWallTime.now()", "Time.now (a Date)", .escapes,
      "Dispatch.DispatchWallTime.now() ->", "Dispatch.DispatchWallTime.init(timespec:",
      "dispatch_walltime"),
    Escape(
      "asyncAfter", "Time.sleep(for:) in Time.task", .escapes,
      "Dispatch.DispatchQueue.asyncAfter(", "dispatch_after"),
    Escape(
      "systemUptime", "Time.uptime (a Duration)", .escapes,
      "Foundation.ProcessInfo.systemUptime.getter"),
    Escape("time", "Time.now", .escapes, "time"),
    Escape("gettimeofday", "Time.now", .escapes, "gettimeofday"),
    // The last two are the clocks of C++.
    Escape(
      "clock_gettime", "Time.now (a Date) or Time.uptime (a Duration)", .escapes, "clock_gettime",
      "_ZNSt6chrono3_V212system_clock3nowEv", "_ZNSt6chrono3_V212steady_clock3nowEv"),
    Escape(
      "localtime", "a Calendar of the caller's zone", .escapes, "localtime", "localtime_r",
      "mktime", "timelocal", "ctime", "ctime_r", "tzset"),
    Escape("setlocale", "a locale of the caller's", .escapes, "setlocale", "newlocale"),
    Escape("sleep", "Time.sleep(for:)", .escapes, "sleep"),
    Escape("usleep", "Time.sleep(for:)", .escapes, "usleep"),
    Escape(
      "nanosleep", "Time.sleep(for:)", .escapes, "nanosleep", "clock_nanosleep", "thrd_sleep"),
    Escape(
      "Calendar.current", "a calendar of the caller's", .escapes,
      "Foundation.Calendar.current.getter", "Foundation.Calendar.autoupdatingCurrent.getter",
      "Foundation.NSCalendar.current.getter", "Foundation.NSCalendar.autoupdatingCurrent.getter"),
    Escape(
      "Calendar(identifier:)", "its timeZone, set to one of the caller's", .escapes,
      unless: "Foundation.Calendar.timeZone.setter", "Foundation.Calendar.init(identifier:",
      "Foundation.NSCalendar.__allocating_init("),
    Escape(
      "TimeZone.current", "a zone of the caller's", .escapes, "Foundation.TimeZone.current.getter",
      "Foundation.TimeZone.autoupdatingCurrent.getter", "Foundation.TimeZone.default.",
      "Foundation.TimeZone._default.", "Foundation.NSTimeZone.local.getter",
      "Foundation.NSTimeZone.system.getter", "Foundation.NSTimeZone.default."),
    Escape(
      "NSTimeZone", "TimeZone, with secondsFromGMT(for: Time.now) and its kin", .escapes,
      "Foundation.NSTimeZone.__allocating_init("),
    Escape(
      "nextDaylightSavingTimeTransition", "nextDaylightSavingTimeTransition(after: Time.now)",
      .escapes, "Foundation.TimeZone.nextDaylightSavingTimeTransition.getter"),
    Escape(
      "Locale.current", "a locale of the caller's", .escapes, "Foundation.Locale.current.getter",
      "Foundation.Locale.autoupdatingCurrent.getter", "Foundation.Locale.preferredL",
      "Foundation.NSLocale.current.getter", "Foundation.NSLocale.autoupdatingCurrent.getter",
      "Foundation.NSLocale.preferredLanguages.getter"),
    // The members of formatters are called through the vtable.
    Escape(
      "DateFormatter()", "Date.FormatStyle with a locale, calendar and zone of the caller's",
      .escapes, "Foundation.DateFormatter.__allocating_init(",
      "Foundation.DateFormatter.localizedString(",
      "Foundation.DateIntervalFormatter.__allocating_init("),
    Escape(
      "NumberFormatter()", "a FormatStyle with a locale of the caller's", .escapes,
      "Foundation.NumberFormatter.__allocating_init(",
      "Foundation.NumberFormatter.localizedString(",
      "Foundation.ByteCountFormatter.__allocating_init(", "Foundation.ByteCountFormatter.string(",
      "Foundation.EnergyFormatter.__allocating_init(",
      "Foundation.LengthFormatter.__allocating_init(",
      "Foundation.MassFormatter.__allocating_init(", "Foundation.Scanner.localizedScanner("),
    Escape(
      "Date.formatted", "Date.FormatStyle with a locale, calendar and zone of the caller's",
      .escapes, "Foundation.Date.formatted() ->", "Foundation.Date.formatted(date:",
      "Swift.Range< where A == Foundation.Date>.formatted(",
      "\(dateStyle)FormatStyle>.dateTime.getter",
      "\(dateStyle)IntervalFormatStyle>.interval.getter",
      "Foundation.ParseableFormatStyle< where A == Foundation.Date.FormatStyle>.dateTime.getter",
      "Foundation.ParseStrategy< where A == Foundation.Date.FormatStyle>.dateTime.getter"),
    Escape(
      "Date.RelativeFormatStyle", "Date.AnchoredRelativeFormatStyle(anchor: Time.now, …)",
      .escapes, "Foundation.Date.RelativeFormatStyle.init(",
      "Foundation.Date.RelativeFormatStyle.format(",
      "\(dateStyle)RelativeFormatStyle>.relative("),
    Escape(
      "formatted()", "formatted(_:), with a style of the caller's locale", .escapes,
      "Swift.BinaryInteger.formatted() ->", "Swift.BinaryFloatingPoint.formatted() ->",
      "Swift.Duration.formatted() ->",
      "Swift.Sequence< where A.Element == Swift.String>.formatted(",
      "Swift.Duration.UnitsFormatStyle.init", "Foundation.Decimal.formatted() ->",
      "Foundation.ListFormatStyle.init(", "Foundation.FormatStyle.currency<",
      "Foundation.FormatStyle.list<", "Foundation.FormatStyle< where A == Foundation.Decimal.",
      "Foundation.FormatStyle< where A == Foundation.ByteCountFormatStyle>.byteCount(",
      "Foundation.FormatStyle< where A == Swift.Duration.",
      "Foundation.ParseableFormatStyle< where A == Foundation.Decimal."),
    Escape(
      "localizedCompare", "compare(_:locale:) or its kin, with a locale of the caller's", .escapes,
      "Swift.StringProtocol.localized", "Foundation.NSString.localized",
      "Swift.String.localizedStringWithFormat("),
    Escape(
      "UUID()", "AmbientIdentifier.next() (a UUID, too)", .escapes, "Foundation.UUID.init() ->",
      "Foundation.NSUUID.__allocating_init() ->"),
    Escape(
      "print", "Log.info", .writes,
      "Swift.print(_: Any..., separator: Swift.String, terminator: Swift.String) ->",
      "Swift.debugPrint(_: Any..., separator: Swift.String, terminator: Swift.String) ->"),
    Escape("NSLog", "Log.info", .writes, "Foundation.NSLog("),
    Escape(
      "Date.timeIntervalSinceReferenceDate", "Time.now.timeIntervalSinceReferenceDate", .escapes,
      "Foundation.Date.timeIntervalSinceReferenceDate.getter",
      "Foundation.NSDate.timeIntervalSinceReferenceDate.getter"),
    Escape(
      "Timer.init", "Time.timer(every:) (an AsyncSequence)", .escapes,
      "Foundation.Timer.__allocating_init("),
    Escape("RunLoop.run", "Time.sleep(for:)", .escapes, "Foundation.RunLoop.run("),
    // `wait(until:)` is called through the vtable and leaves no symbol in the caller, so the audit
    // looks for the initializers.
    Escape(
      "NSCondition", "Time.timeout(after:)", .escapes,
      "Foundation.NSCondition.__allocating_init() ->",
      "Foundation.NSConditionLock.__allocating_init(condition:"),
    Escape(
      "poll", "Time.timeout(after:)", .escapes, "poll", "ppoll", "select", "pselect", "epoll_wait",
      "epoll_pwait", "epoll_pwait2"),
    Escape(
      "pthread_cond_timedwait", "Time.timeout(after:)", .escapes, "pthread_cond_timedwait",
      "pthread_cond_clockwait", "pthread_mutex_timedlock", "pthread_mutex_clocklock",
      "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock", "pthread_timedjoin_np",
      "cnd_timedwait", "mtx_timedlock"),
    Escape(
      "sem_timedwait", "Time.timeout(after:)", .escapes, "sem_timedwait", "sem_clockwait",
      "semtimedop", "sigtimedwait", "mq_timedreceive", "mq_timedsend"),
    Escape("times", "Time.measure", .escapes, "times"),
    Escape("timespec_get", "Time.now", .escapes, "timespec_get"),
    Escape("alarm", "Time.sleep(for:)", .escapes, "alarm", "ualarm", "setitimer"),
    Escape(
      "timer_create", "Time.timer(every:)", .escapes, "timer_create", "timer_settime",
      "timerfd_create", "timerfd_settime"),
    Escape("clock", "Time.measure", .escapes, "clock"),
    Escape(
      "DispatchSourceTimer.schedule", "Time.timer(every:) (an AsyncSequence)", .escapes,
      "Dispatch.DispatchSourceTimer.schedule", "dispatch_source_set_timer"),
    Escape(
      "debounce(for:)", "the form with clock: Time.clock()", .escapes,
      "Swift.AsyncSequence.debounce< where A: Swift.Sendable", "Swift.AsyncSequence._throttle(for:",
      "Swift.AsyncSequence._throttle<A>(for:",
      "AsyncAlgorithms.AsyncTimerSequence< where A == Swift.SuspendingClock>.repeating("),
    Escape(
      "NIODeadline.now()", "Time.uptime (a Duration)", .escapes,
      "NIOCore.NIODeadline.now() ->"),
    Escape(
      "Calendar.isDateInToday", "isDate(_:inSameDayAs: Time.now)", .escapes,
      "Foundation.Calendar.isDateInToday(", "Foundation.Calendar.isDateInYesterday(",
      "Foundation.Calendar.isDateInTomorrow("),
    Escape(
      "random", "random(in:using:) with AmbientRandomNumberGenerator", .escapes,
      "Swift.FixedWidthInteger.random(in: Swift.Range<A>) ->",
      "Swift.FixedWidthInteger.random(in: Swift.ClosedRange<A>) ->",
      "\(floatingPoint).random(in: Swift.Range<A>) ->",
      "\(floatingPoint).random(in: Swift.ClosedRange<A>) ->",
      "Swift.Bool.random() ->", "random"),
    Escape("rand", generator, .escapes, "rand", "rand_r"),
    Escape(
      "drand48", generator, .escapes, "drand48", "erand48", "lrand48", "nrand48", "mrand48",
      "jrand48"),
    Escape(
      "arc4random", generator, .escapes, "arc4random", "arc4random_uniform", "arc4random_buf"),
    Escape("getentropy", generator, .escapes, "getentropy", "getrandom"),
    Escape(
      "globallyUniqueString", "AmbientIdentifier.next()", .escapes,
      "Foundation.ProcessInfo.globallyUniqueString.getter"),
    Escape(
      "shuffled", "shuffled(using:) with AmbientRandomNumberGenerator", .escapes,
      "Swift.Sequence.shuffled() ->",
      "Swift.MutableCollection< where A: Swift.RandomAccessCollection>.shuffle() ->"),
    Escape(
      "randomElement", "randomElement(using:) with AmbientRandomNumberGenerator", .escapes,
      "Swift.Collection.randomElement() ->"),
    Escape(
      "SystemRandomNumberGenerator", generator, .escapes,
      "Swift.SystemRandomNumberGenerator.init() ->"),
    Escape(
      "Task.init", "Time.task", .leaves, "Swift.Task< where B == Swift.Never>.init(",
      "Swift.Task< where B == Swift.Error>.init("),
    Escape(
      "Task.detached", worker, .leaves,
      "Swift.Task< where B == Swift.Never>.detached(",
      "Swift.Task< where B == Swift.Error>.detached("),
    Escape(
      "MainActor", "Time.hold around it", .leaves, "Swift.MainActor.shared.getter",
      "Swift.MainActor.run<"),
    Escape(
      "DispatchQueue.async", worker, .leaves,
      "Dispatch.DispatchQueue.async("),
    Escape(
      "Task.immediate", "Time.task", .leaves, "Swift.Task< where B == Swift.Never>.immediate",
      "Swift.Task< where B == Swift.Error>.immediate"),
    Escape(
      "Thread.detachNewThread", worker, .leaves,
      "Foundation.Thread.detachNewThread(", "Foundation.Thread.__allocating_init(block:"),
    // Methods of these classes are called through the vtable and leave no symbol in the caller, so
    // the audit looks for the places that make an object or take a shared queue.
    Escape(
      "OperationQueue", worker, .leaves,
      "Foundation.OperationQueue.__allocating_init() ->", "Foundation.OperationQueue.main.getter",
      "Foundation.OperationQueue.current.getter", "Foundation.BlockOperation.__allocating_init("),
    Escape(
      "DispatchWorkItem", worker, .leaves,
      "Dispatch.DispatchWorkItem.__allocating_init("),
    // For `sync` with a block that returns nothing.
    Escape(
      "DispatchQueue", "an actor", .leaves,
      "Dispatch.DispatchQueue.__allocating_init(label:"),
    Escape(
      "URLSession.data", "Time.hold around it", .leaves, "Foundation.URLSession.data(",
      "Foundation.URLSession.upload(", "Foundation.URLSession.download(",
      "Foundation.URLSession.bytes("),
    Escape(
      "URLSession", "Time.hold around its use", .leaves, "Foundation.URLSession.shared.getter",
      "Foundation.URLSession.__allocating_init("),
    Escape("EventLoopFuture.get", "Time.hold around it", .leaves, "NIOCore.EventLoopFuture.get("),
    // A call of `scheduleTask`, a protocol's requirement, leaves no symbol, so the audit
    // looks for the places that make a `TimeAmount`.
    Escape(
      "scheduleTask", "Time.sleep(for:) in Time.task", .leaves, "NIOCore.TimeAmount.nanoseconds(",
      "NIOCore.TimeAmount.microseconds(", "NIOCore.TimeAmount.milliseconds(",
      "NIOCore.TimeAmount.seconds(", "NIOCore.TimeAmount.minutes(", "NIOCore.TimeAmount.hours(",
      "NIOCore.Scheduled.futureResult.getter", "NIOCore.EventLoop.scheduleRepeated",
      "NIOCore.EventLoop.flatScheduleTask<"),
    Escape(
      "EventLoopFuture.wait", "get() in Time.hold", .blocks, "NIOCore.EventLoopFuture.wait("),
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
