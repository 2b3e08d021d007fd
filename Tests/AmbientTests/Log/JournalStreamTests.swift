// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// The journal of systemd, which names the stream that it reads by `JOURNAL_STREAM`.
@Suite struct `Logs read by the journal` {
  @Test(arguments: [1, 2] as [CInt])
  func `a log adds severity prefixes only on the stream that the systemd journal reads`(
    _ number: CInt
  ) async {
    await #expect(processExitsWith: .success) { [number = number as CInt] in
      let (journal, other) = (try SystemPipe(), try SystemPipe())
      try name(journal.writing)
      dup2(journal.writing.number, number)
      dup2(other.writing.number, 3 - number)
      for log in [StdoutLog(level: .trace), StderrLog(level: .trace)] as [Log] {
        for level in LogLevel.allCases { log.log(level, "one\ntwo") }
      }
      let severities = ["<7>", "<7>", "<6>", "<5>", "<4>", "<3>", "<2>"]
      #expect(lines(of: journal).map { String($0.prefix(3)) } == severities)
      #expect(lines(of: other).allSatisfy { $0.first?.isNumber == true })
    }
  }

  @Test func `log lines have severity prefixes only while the systemd journal reads their stream`()
    async
  {
    await #expect(processExitsWith: .success) {
      let (journal, other) = (try SystemPipe(), try SystemPipe())
      dup2(journal.writing.number, 1)
      try name(journal.writing, device: 1)
      StdoutLog().info("x")
      #expect(lines(of: journal).allSatisfy { $0.first?.isNumber == true })
      try name(journal.writing)
      let log = StdoutLog()
      log.info("x")
      #expect(lines(of: journal).allSatisfy { $0.hasPrefix("<6>") })
      dup2(other.writing.number, 1)
      // The log looks at its stream once a second.
      let isPlain = Patience.wait {
        log.info("x")
        return lines(of: other).last?.hasPrefix("<") == false
      }
      #expect(isPlain)
    }
  }
}

/// Sets the variable by which a service knows the journal's stream.
private func name(_ stream: FileDescriptor, device more: UInt64 = 0) throws {
  let identity = try #require(stream.identity)
  setenv("JOURNAL_STREAM", "\(identity.device + more):\(identity.file)", 1)
}

private func lines(of pipe: SystemPipe) -> [Substring] {
  String(decoding: pipe.reading.read(upTo: 65_536), as: UTF8.self).split(separator: "\n")
}
