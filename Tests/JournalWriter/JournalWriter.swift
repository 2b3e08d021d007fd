// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport

/// A program for tests: opens a queue and does with it what it is told.
///
/// - `open FOLDER [BYTES]` says on standard output how many records wait, or why it cannot.
/// - `hold FOLDER PROGRESS` has the queue until it is killed.
/// - `fill FOLDER RECORDS UNTIL` opens, waits for the file UNTIL, and appends.
/// - `fork FOLDER ANSWER` uses the queue in a fork, too, which writes to ANSWER what came of that
///   and lives until that file is removed; the parent, until it is killed.
/// - `run FOLDER PROGRESS ID DELIVERED` appends numbered records from two threads, while a third
///   writes what waits to DELIVERED and acknowledges it, until it is killed.
@main enum JournalWriter {
  static func main() throws {
    let words = CommandLine.arguments
    var options = Journal.Options()
    if words[1] == "open", words.count > 3 { options.capacity = Int(words[3])! }
    if words[1] == "fill" { options.capacity = 1 << 18 }
    if words[1] == "run" { options.capacity = 8 << 20 }
    let progress =
      words.count > 3 && ["hold", "run"].contains(words[1])
      ? try SharedProgress(path: words[3], threads: 2) : nil
    progress?.phase = .opening
    let journal: Journal
    do throws(JournalError) { journal = try Journal(folder: words[2], options) } catch {
      print(error)
      exit(3)
    }
    progress?.phase = .writing
    switch words[1] {
    case "open": print("\(journal.count) wait")
    case "hold": while true { sleep(60) }
    case "fill": fill(journal, Int(words[3])!, words[4])
    case "fork": useInFork(journal, words)
    case "run": run(journal, progress!, words[4], words[5])
    default: exit(64)
    }
  }

  private static func fill(_ journal: Journal, _ records: Int, _ file: String) {
    while access(file, F_OK) != 0 { usleep(1_000) }
    for number in 1...records { append("\(number) \(String(repeating: "x", count: 100))", journal) }
    print("\(journal.count + journal.dropped.full) were taken")
  }

  @discardableResult
  private static func append(_ text: String, _ journal: Journal) -> Bool {
    Array(text.utf8).withUnsafeBytes { journal.append($0, at: Date()) }
  }

  private static func useInFork(_ journal: Journal, _ words: [String]) {
    append("parent", journal)
    let child = forkProcess()
    guard child == 0 else {
      while access(words[3], F_OK) != 0 { usleep(1_000) }
      append("parent again", journal)
      _ = open(words[3] + ".read", O_WRONLY | O_CREAT, 0o600)
      while true { sleep(60) }
    }
    let batch = journal.batch(maximumCount: 9, maximumBytes: 99, now: Date())
    let isUsed = append("child", journal) || journal.count != 0 || !batch.isEmpty
    journal.close()
    // The parent has it still.
    let isFree = (try? Journal(folder: words[2])) != nil
    // The answer is there as a whole, or not at all.
    let answer = open(words[3] + ".new", O_WRONLY | O_CREAT, 0o600)
    let text = Array((isUsed ? "used" : isFree ? "free" : "well").utf8)
    _ = write(answer, text, text.count)
    rename(words[3] + ".new", words[3])
    // Longer than any test waits.
    for _ in 0..<600_000 {
      guard access(words[3], F_OK) == 0 else { break }
      usleep(1_000)
    }
    _exit(0)
  }

  private static func run(
    _ journal: Journal, _ progress: SharedProgress, _ id: String, _ path: String
  ) {
    let delivered = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    Thread { deliver(journal, progress, delivered) }.start()
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for number in 1... {
        // Nothing may be dropped: who was killed cannot say how much that was.
        while number % 16 == 0, journal.byteCount > 3 << 20 { usleep(500) }
        let text = KilledRecord.text(id, thread, number)
        progress.isCalling[thread] = true
        guard append(text, journal) else { exit(5) }
        progress.count[thread] = number
        progress.isCalling[thread] = false
      }
    }
  }

  /// Slower than the others, so that something waits when the program is killed.
  private static func deliver(_ journal: Journal, _ progress: SharedProgress, _ file: Int32) {
    while true {
      progress.isFlushing = true
      let batch = journal.batch(maximumCount: 50, maximumBytes: 8_192, now: Date())
      for record in batch {
        guard KilledRecord.name(in: String(decoding: record.bytes, as: UTF8.self)) != nil else {
          exit(6)
        }
      }
      let names = batch.compactMap {
        KilledRecord.name(in: String(decoding: $0.bytes, as: UTF8.self))
      }
      let text = Array(names.map { "\($0)\n" }.joined().utf8)
      guard write(file, text, text.count) == text.count else { exit(7) }
      if let last = batch.last { journal.acknowledge(last.position) }
      progress.isFlushing = false
      usleep(300)
    }
  }
}
