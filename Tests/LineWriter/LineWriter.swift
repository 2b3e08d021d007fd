// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Synchronization
import TestSupport

/// A program for tests: logs numbered lines from several threads, notes how far it got where its
/// parent can see it, and ends as it is told; `forks:NUMBER` is an end that forks meanwhile.
///
/// `LineWriter PATH PROGRESS ID THREADS LINES END [eachLine|process|machine] [rotate:SIZE]
/// [logs:NUMBER] [long:BYTES] [until:FILE] [paced:NUMBER] [signals|handler] [buffers:FOLDER]
/// [fragile] [handlerBefore]`: with `until` it
/// makes pauses, and writes until there is that file; with `paced` it writes so many lines a
/// millisecond, and leaves it to the log when they are written out; with `long` its lines
/// have so many bytes more; with `logs` it writes forty
/// lines to each of so many other logs, `PATH.1` and so on; with `signals` it drains on signals,
/// with `handler` after it has set a handler of its own. The ends `cut`, `idle`, `holes` and `own` lose pages:
/// of its buffer, by itself or by its parent while it waits, or of a file of its own; `removed` removes the
/// buffers' folder, with `blocked`, for which it is a link, for some time for good; `fragile` lets a
/// lost page end the program, and `handlerBefore` sets a handler for it before the log, the end
/// `after` one after it.
///
/// `LineWriter time` uses `Time` alone; `LineWriter consent PATH` keeps an answer in that file;
/// `LineWriter late` assigns the log after it was read.
@main enum LineWriter {
  private static let isHandled = Atomic<Bool>(false)
  /// How many reports there were.
  private static let reports = Atomic<Int>(0)

  static func main() throws {
    // Whoever started this may have them blocked, as the threads of a pool do.
    unblockSignals()
    let words = CommandLine.arguments
    switch words[1] {
    case "time": return useTime()
    case "late":
      _ = Log.instance
      Log.instance = NoLog()
      return
    case "consent": return try Consent(path: words[2]).set(.granted, for: .analytics)
    default: break
    }
    let (path, id, lines, end) = (words[1], words[3], Int(words[5])!, words[6])
    let threads = Int(words[4])!
    var options = FileOptions()
    var rotation: FileRotation?
    var stop: String?
    var pace: Int?
    var filler = ""
    var others = 0
    for word in words.dropFirst(7) {
      switch word {
      case "eachLine": options.survival = .eachLine
      case "machine": options.survival = .machine
      case "signals": FileLog.drainOnSignals()
      case "patient": options.whenFull = .wait(atMost: Patience.short)
      case "fragile": FileLog.survivesLostPages = false
      case "handlerBefore": LostFile.setHandler()
      case "handler": setHandlerAndTakeSignals()
      case _ where word.hasPrefix("rotate:"): rotation = FileRotation(size: Int(word.dropFirst(7))!)
      case _ where word.hasPrefix("buffers:"): options.bufferFolder = String(word.dropFirst(8))
      case _ where word.hasPrefix("long:"):
        filler = String(repeating: "x", count: Int(word.dropFirst(5))!) + " "
      case _ where word.hasPrefix("logs:"): others = Int(word.dropFirst(5))!
      case _ where word.hasPrefix("paced:"): pace = Int(word.dropFirst(6))
      case _ where word.hasPrefix("until:"): stop = String(word.dropFirst(6))
      default: break
      }
    }
    let progress = try SharedProgress(path: words[2], threads: threads)
    // Here, since what the thread sanitizer does at the start needs larger files.
    if let limit = ProcessInfo.processInfo.environment["FILE_LIMIT"].flatMap(rlim_t.init) {
      ResourceLimit.fileSize.set(limit)
    }
    Diagnostics.instance = .calling { diagnostic in
      FileHandle.standardError.write(Data("\(diagnostic)\n".utf8))
      // The loss of lines is told before.
      if end == "idle", "\(diagnostic)".contains(".buffer”") {
        _ = FileManager.default.createFile(atPath: path + ".told", contents: nil)
      }
      reports.add(1, ordering: .relaxed)
    }
    progress.phase = .opening
    let log = try FileLog(path: path, level: .info, rotation: rotation, file: options)
    Log.instance = log
    let logs = try (0..<others).map {
      try FileLog(path: "\(path).\($0 + 1)", level: .info, file: options)
    }
    progress.phase = .writing
    // The last eight of each wait in a buffer.
    for number in 1...40 {
      for (log, other) in logs.enumerated() {
        other.info("\(id).\(log).\(number) a line of the usual length, as a server writes it")
      }
    }
    if end.hasPrefix("forks:") { forkBesideThreads(Int(end.dropFirst(6))!, id, threads, progress) }
    DispatchQueue.concurrentPerform(iterations: threads) { [stop, pace, filler] thread in
      let start = ContinuousClock.now
      for number in 1...max(lines, 1) where number <= lines {
        progress.isCalling[thread] = true
        Log.info(
          "\(id).\(thread).\(number) \(filler)a line of the usual length, as a server writes it")
        progress.count[thread] = number
        progress.isCalling[thread] = false
        if let pace {
          let ahead = .milliseconds(number / pace) - (ContinuousClock.now - start)
          if ahead > .milliseconds(1) { usleep(1_000) }
        } else if number % 20 == 0 {
          // Often, so that some are killed while they write.
          progress.isFlushing = true
          log.flush()
          progress.isFlushing = false
          if let stop {
            if access(stop, F_OK) == 0 { break }
            usleep(2_000)
          }
        }
      }
    }
    progress.phase = .ending
    defer { withExtendedLifetime(logs) {} }
    switch end {
    case "exit": exit(0)
    case "_exit": _exit(0)
    case "abort": abort()
    case "terminate":
      kill(getpid(), SIGTERM)
      sleep(60)
    case "interrupt": interruptByTerminal()
    case "raise":
      raise(SIGTERM)
      _exit(isHandled.load(ordering: .relaxed) ? 7 : 8)
    case "fatalError": fatalError("as it was told")
    case "wait": while true { sleep(60) }
    case "fork": try logInFork(log)
    case "idle":
      // Only the log's own thread meets the lost pages: nothing is logged any more.
      put(1...50, id)
      Log.info("\(id).1.51 a line of the usual length, as a server writes it")
      try LostFile.cut(bufferOf: path)
      while !FileManager.default.fileExists(atPath: path + ".told") { usleep(1_000) }
      exit(0)
    case "cut":
      put(1...50, id)
      // Ten that wait.
      for number in 51...60 {
        Log.info("\(id).1.\(number) a line of the usual length, as a server writes it")
      }
      try LostFile.cut(bufferOf: path)
      put(61...100, id)
      // Longer than the pause between two looks at the buffer.
      sleep(2)
      put(101...200, id)
      progress.lost = log.lostRecords
      Log.info("\(id).1.201 a line of the usual length, as a server writes it")
      kill(getpid(), SIGKILL)
    case "removed":
      let folder = options.bufferFolder!
      put(1...50, id)
      // In one step, since the log looks meanwhile, and makes a buffer as soon as it can.
      if words.contains("blocked") {
        // The folder is a link, and a file takes its place.
        try Data().write(to: URL(filePath: "\(folder).file"))
        guard rename("\(folder).file", folder) == 0 else { exit(64) }
        for start in [51, 61] {
          sleep(2)
          put(start...start + 9, id)
        }
        try FileManager.default.removeItem(atPath: folder)
      } else {
        guard rename(folder, "\(folder).gone") == 0 else { exit(64) }
        try FileManager.default.removeItem(atPath: "\(folder).gone")
      }
      // Longer than the pause between two looks at the buffer.
      sleep(2)
      put(71...100, id)
      // By the log's own thread, if that looked first.
      while reports.load(ordering: .relaxed) < (words.contains("blocked") ? 2 : 1) { usleep(1_000) }
      Log.info("\(id).1.101 a line of the usual length, as a server writes it")
      kill(getpid(), SIGKILL)
    case "after":
      put(1...100, id)
      LostFile.setHandler()
      // Longer than the pause between two looks at the handler.
      for start in [101, 201] {
        sleep(2)
        put(start...start + 99, id)
      }
      exit(0)
    case "holes":
      put(1...50, id)
      try Data().write(to: URL(filePath: path + ".holes"))
      while !FileManager.default.fileExists(atPath: path + ".full") { usleep(1_000) }
      put(51...200, id)
      try Data().write(to: URL(filePath: path + ".logged"))
      while FileManager.default.fileExists(atPath: path + ".full") { usleep(1_000) }
      put(201...201, id)
      exit(0)
    case "own": try LostFile.touch(path + ".own")
    case let word where word.hasPrefix("orphan:"):
      // A fork that outlives its parent, which is killed once the fork has closed the buffers.
      if forkProcess() != 0 {
        while access("\(path).forked", F_OK) != 0 { usleep(1_000) }
        kill(getpid(), SIGKILL)
      }
      close(open("\(path).forked", O_CREAT | O_CLOEXEC | O_WRONLY, 0o600))
      // The test removes the folder right after it asked for the end: either ends this.
      let isAsked = { access(String(word.dropFirst(7)), F_OK) == 0 }
      while !isAsked(), access("\(path).forked", F_OK) == 0 { usleep(1_000) }
      _exit(0)
    case let word where word.hasPrefix("await:"):
      while !FileManager.default.fileExists(atPath: String(word.dropFirst(6))) { usleep(1_000) }
      log.flush()
      // What the flush told of losses.
      log.flush()
      progress.lost = log.lostRecords
      exit(0)
    default: exit(64)
    }
  }

  /// All that `Time` has for code that does not wait.
  private static func useTime() {
    let duration = Time.measure {
      Time.freeze(at: .distantPast) {
        print(Time.now.iso8601(), Time.uptime, AmbientIdentifier.next())
      }
    }
    print(duration, Time.now.iso8601(), Time.travel(by: .seconds(1)) { Time.now.iso8601() })
  }

  /// Logs lines as a thread 1, and has them written.
  private static func put(_ numbers: ClosedRange<Int>, _ id: String) {
    for number in numbers {
      Log.info("\(id).1.\(number) a line of the usual length, as a server writes it")
    }
    Log.instance.flush()
  }

  private static func unblockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    sigprocmask(SIG_UNBLOCK, &all, nil)
  }

  private static func setHandlerAndTakeSignals() {
    // Made now, and not in the handler.
    isHandled.store(false, ordering: .relaxed)
    signal(SIGTERM) { _ in LineWriter.isHandled.store(true, ordering: .relaxed) }
    FileLog.drainOnSignals()
  }

  /// Forks so often while threads log as fast as they can; each fork logs a line and ends. Ends
  /// with the number of forks that did not.
  private static func forkBesideThreads(
    _ forks: Int, _ id: String, _ threads: Int, _ progress: SharedProgress
  ) {
    // Threads, of which `concurrentPerform` has no more than there are processors.
    for thread in 0..<threads {
      Thread.detachNewThread {
        for number in 1... {
          Log.info("\(id).\(thread).\(number) a line of the usual length, as a server writes it")
          progress.count[thread] = number
          if number % 50 == 0 { usleep(100) }
        }
      }
    }
    // The first use of a type takes locks of the Swift runtime, which stay locked in a fork.
    while (0..<threads).contains(where: { progress.count[$0] == 0 }) { usleep(100) }
    var failed = Int32(0)
    for fork in 1...forks {
      let status = statusOfFork {
        Log.info("\(id).fork.\(fork) a line of the usual length, as a server writes it")
        return 0
      }
      if status != 0 { failed += 1 }
    }
    guard failed == 0 else { _exit(min(failed, 100)) }
    exit(0)
  }

  /// Types Ctrl-C in a terminal of this program's own, whose driver then sends the signal.
  private static func interruptByTerminal() {
    #if canImport(Darwin)
      // TIOCSCTTY, a macro that Swift does not import there.
      let becomesOurs: UInt = 0x2000_7461
    #else
      let becomesOurs = UInt(TIOCSCTTY)
    #endif
    var (screen, device): (CInt, CInt) = (-1, -1)
    guard setsid() >= 0, openpty(&screen, &device, nil, nil, nil) == 0,
      ioctl(device, becomesOurs, 0) == 0, write(screen, "\u{3}", 1) == 1
    else { exit(64) }
    sleep(60)
  }

  /// Logs in a fork, too, while the parent goes on.
  private static func logInFork(_ log: FileLog) throws {
    let child = forkProcess()
    if child == 0 { endIfHanging() }
    let name = child == 0 ? "child" : "parent"
    for number in 1...500 {
      Log.info("\(name).0.\(number) a line of the usual length, as a server writes it")
    }
    if child != 0 {
      var status: Int32 = 0
      guard waitpid(child, &status, 0) == child, status == 0 else { exit(1) }
    }
    exit(0)
  }
}

/// Files that lose pages while they are mapped.
private enum LostFile {
  private static let place = Atomic<UInt>(0)

  /// Ends with 9 where the signal is about the program's own file.
  static func setHandler() {
    _ = place.load(ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_sigaction = { _, info, _ in
      let address = info.map { UInt(bitPattern: $0.pointee._sifields._sigfault.si_addr) }
      _exit(address == LostFile.place.load(ordering: .relaxed) ? 9 : 10)
    }
    action.sa_flags = SA_SIGINFO
    sigaction(SIGBUS, &action, nil)
  }

  /// Maps a file, cuts it, and reads what is gone.
  static func touch(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    guard ftruncate(file, 8_192) == 0,
      let memory = mmap(nil, 8_192, PROT_READ, MAP_SHARED, file, 0), ftruncate(file, 0) == 0
    else { exit(64) }
    place.store(UInt(bitPattern: memory + 4_096), ordering: .relaxed)
    // A handler that returns is called again, for ever.
    endIfHanging()
    // Valid: mapped, though behind the end of its file, which is what is tried.
    print((memory + 4_096).load(as: UInt8.self))
    exit(65)
  }

  /// Cuts the log's buffer to nothing.
  static func cut(bufferOf path: String) throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".buffer") && truncate("\(folder)/\(name)", 0) != 0 {
      exit(64)
    }
  }
}
