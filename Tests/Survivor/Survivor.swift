// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A program for tests: logs and tracks in trouble.
///
/// - `log FOLDER KIND STEPS SURVIVAL` logs from eight threads to `FOLDER/shop.log` in a storm
///   (``DescriptorStorm``), then without it, and prints a ``StormedLog/Outcome``.
/// - `journal FOLDER KIND STEPS` appends to journals in a storm, and prints how many records are
///   missing.
/// - `queue FOLDER KIND STEPS` tracks events in a storm, and prints how many are missing.
/// - `end FOLDER END SURVIVAL [stdout] [hung]` logs from four threads, waits for the file `FOLDER/trouble`,
///   and ends (``LogEnd``).
/// - `hang` succeeds if the program can make the disk hang (``HungDisk``).
@main enum Survivor {
  static func main() async throws {
    let words = CommandLine.arguments
    #if os(Linux)
      if words[1] == "hang" { exit(HungDisk.begin() ? 0 : 1) }
    #endif
    if words[1] == "end" { return try await LogEnd.run(Array(words.dropFirst(2))) }
    // Storms of many steps last longer than most programs of tests.
    endIfHanging(after: 3_600)
    try await DescriptorStorm.prepare()
    let storm = DescriptorStorm(kind: .init(rawValue: words[3])!, folder: words[2])
    let steps = Int(words[4])!
    switch words[1] {
    case "log": try StormedLog.run(storm, words[2], steps: steps, words[5])
    case "journal": try StormedJournal.run(storm, words[2], steps: steps)
    case "queue": try await StormedQueue.run(storm, words[2], steps: steps)
    default: exit(64)
    }
  }
}
