// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import CHostile
  import Foundation
  import TestSupport
  import Testing

  @testable import Ambient

  /// Standard output and standard error are one pipe without a reader, so that also the report of
  /// the lost lines finds no room.
  @Suite(.withoutSanitizer) struct `Logs on a full pipe` {
    /// Lengths of messages, for each of which the report finds another rest of room; and the error
    /// of the system's write that does not wait, zero if it works.
    @Test(arguments: [(100, 0), (200, EOPNOTSUPP), (218, EPERM), (474, ENOSYS)] as [(Int, CInt)])
    func `StdoutLog and StderrLog drop lines instead of blocking while their pipe is full`(
      _ length: Int, _ error: CInt
    ) async {
      for isOutput in [true, false] {
        await #expect(processExitsWith: .success) {
          [length = length as Int, error = error as CInt, isOutput = isOutput as Bool] in
          endIfHanging()
          let pipe = try SystemPipe()
          for number: CInt in [1, 2] { dup2(pipe.writing.number, number) }
          let isSet = error == 0 || hostile_fail_calls(hostile_pwritev2, error) == 0
          precondition(isSet)
          let log = isOutput ? StdoutLog(level: .info) as Log : StderrLog(level: .info)
          let message = String(repeating: "x", count: length)
          var count = 0
          while log.lostRecords < 3 {
            log.info("\(message)")
            count += 1
          }
          for _ in 0..<200 { Diagnostics.report(.writeFailed, source: "Test", "another") }
          var text = pipe.reading.read(upTo: 1 << 20)
          log.info("after")
          text += pipe.reading.read(upTo: 1 << 20)
          let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
          precondition(lines.count { $0.hasSuffix(message) } == count - 3)
          precondition(lines.contains { $0.hasSuffix(" after") })
          precondition(log.lostRecords == 3)
          // The next report says how many found no room.
          Diagnostics.report(.writeFailed, source: "Test", "the last")
          let last = String(decoding: pipe.reading.read(upTo: 1 << 20), as: UTF8.self)
          precondition(last.contains("Test: the last"))
          let words = StandardError.text(ofDropped: 0).prefix { $0 != "0" }
          precondition((lines.joined() + last).contains(words))
        }
      }
    }
  }
#endif
