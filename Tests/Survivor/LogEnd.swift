// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport

/// The end of a program whose threads log all the time.
///
/// The test makes the trouble when the threads have logged for a while, and then the file
/// `FOLDER/trouble`.
enum LogEnd {
  private static let threads = 4

  static func run(_ words: [String]) async throws {
    endIfHanging()
    let (folder, end) = (words[0], words[1])
    let progress = try SharedProgress(path: "\(folder)/progress", threads: threads)
    progress.phase = .opening
    var options = FileOptions()
    if words[2] == "eachLine" { options.survival = .eachLine }
    let file = try FileLog(path: "\(folder)/shop.log", level: .info, file: options)
    let other =
      if words.contains("stdout") {
        StdoutLog(level: .info) as Log
      } else {
        try FileLog(path: "\(folder)/other.log", level: .info, file: options) as Log
      }
    Log.instance = MultiLog(file, other)
    if end == "handler" {
      signal(SIGTERM) { _ in exit(0) }
      // A thread that logs gets the signal.
      block(SIGTERM)
    }
    for thread in 0..<threads { Thread.detachNewThread { log(thread, progress) } }
    progress.phase = .writing
    while access("\(folder)/trouble", F_OK) != 0 { usleep(1_000) }
    if words.contains("stdout") {
      for number in 0..<3 {
        Diagnostics.report(.invalidSetting, source: "Survivor", "a report, number \(number)")
      }
    }
    #if os(Linux)
      if words.contains("hung") {
        guard HungDisk.begin() else { exit(65) }
        // The write of a thread of its own hangs, or those of threads that log.
        Thread.detachNewThread { file.flush() }
      }
    #endif
    // Some lines wait when the program ends.
    usleep(50_000)
    progress.phase = .ending
    switch end {
    case "handler":
      kill(getpid(), SIGTERM)
      while true { sleep(60) }
    case "return": return
    case "shutdown": await AmbientScope.shutdown(within: .seconds(1))
    case "abort": abort()
    default: exit(64)
    }
  }

  private static func block(_ signal: CInt) {
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, signal)
    pthread_sigmask(SIG_BLOCK, &one, nil)
  }

  /// Logs numbered lines until the program ends, more slowly than would fill the buffer.
  private static func log(_ thread: Int, _ progress: SharedProgress) {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
    for number in 1... {
      progress.isCalling[thread] = true
      Log.info("t.\(thread).\(number) a line of the usual length, as a server writes it")
      progress.count[thread] = number
      progress.isCalling[thread] = false
      usleep(4_000)
    }
  }
}
