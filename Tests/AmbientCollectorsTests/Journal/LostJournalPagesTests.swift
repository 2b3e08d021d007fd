// SPDX-License-Identifier: Apache-2.0

import Ambient
import CAmbient
import CHostile
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Lost journal pages` {
  private let folder = TemporaryFolder()

  @Test func `after losing pages of its file, a journal counts lost records and rewrites the file`()
    throws
  {
    var options = Journal.Options()
    options.capacity = 65_536
    let reports = Reports()
    try Diagnostics.withInstance(reports) {
      let journal = try Journal(folder: folder.path, options)
      for number in 0..<100 { #expect(journal.append("\(number)")) }
      #expect(truncate(folder.path("queue"), 0) == 0)
      // Into a page that is gone.
      for number in 100..<200 { #expect(journal.append("\(number)")) }
      let waiting = journal.texts()
      #expect(waiting.suffix(99) == (101..<200).map { "\($0)" }[...])
      #expect(waiting.count + journal.dropped.damaged >= 200)
      journal.append("last")
      journal.close()
      let count = reports.messages.count
      let again = try Journal(folder: folder.path, options)
      #expect(again.texts() == waiting + ["last"])
      // The file is whole, its header among it.
      #expect(reports.messages.count == count && again.dropped == Journal.Dropped())
    }
    #expect(reports.messages.contains(Journal.text(of: .lostPages, nil)), "\(reports.messages)")
  }

  #if os(Linux)
    @Test
    func `a journal that can't rewrite its file reports this once and keeps records in memory`()
      async
    {
      await #expect(processExitsWith: .success) {
        endIfHanging()
        let folder = TemporaryFolder()
        let reports = Reports()
        Diagnostics.instance = reports
        let journal = try Journal(folder: folder.path)
        precondition(hostile_fail_calls(Int32(SYS_fallocate), ENOSPC) == 0)
        precondition(truncate(folder.path("queue"), 0) == 0)
        for number in 1...3 {
          precondition(journal.append("\(number)"))
          // A read tries to restore the file, once a second.
          precondition(journal.texts().count == number)
          SystemThread.sleep(.milliseconds(1_100))
        }
        let told = reports.all.filter { $0.message.contains(folder.path("queue")) }
        precondition(told.map(\.kind) == [.damaged], "\(reports.all)")
      }
    }
  #endif
}
