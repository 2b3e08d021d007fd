import Ambient
import Foundation
import TestSupport

/// A program for tests: logs numbered lines from several threads, notes how far it got where its
/// parent can see it, and ends as it is told.
///
/// `LineWriter PATH PROGRESS ID THREADS LINES END [eachLine|process|machine]`
@main enum LineWriter {
  static func main() throws {
    let words = CommandLine.arguments
    let (path, id, lines, end) = (words[1], words[3], Int(words[5])!, words[6])
    let threads = Int(words[4])!
    let survival: FileOptions.Survival =
      switch words.dropFirst(7).first {
      case "eachLine": .eachLine
      case "machine": .machine
      default: .process
      }
    let progress = try SharedProgress(path: words[2], threads: threads)
    Diagnostics.instance = .calling { diagnostic in
      FileHandle.standardError.write(Data("\(diagnostic)\n".utf8))
    }
    progress.phase = .opening
    let log = try FileLog(path: path, level: .info, file: FileOptions(survives: survival))
    Log.instance = log
    progress.phase = .writing
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for number in 1...max(lines, 1) where number <= lines {
        progress.isCalling[thread] = true
        Log.info("\(id).\(thread).\(number) a line of the usual length, as a server writes it")
        progress.count[thread] = number
        progress.isCalling[thread] = false
        // Often, so that some are killed while they write.
        if number % 20 == 0 {
          progress.isFlushing = true
          log.flush()
          progress.isFlushing = false
        }
      }
    }
    progress.phase = .ending
    switch end {
    case "exit": exit(0)
    case "_exit": _exit(0)
    case "abort": abort()
    case "terminate":
      // Whoever started this may have it blocked.
      var all = sigset_t()
      sigfillset(&all)
      sigprocmask(SIG_UNBLOCK, &all, nil)
      FileLog.drainOnSignals()
      kill(getpid(), SIGTERM)
      sleep(60)
    case "fatalError": fatalError("as it was told")
    case "wait": while true { sleep(60) }
    default: exit(64)
    }
  }
}
