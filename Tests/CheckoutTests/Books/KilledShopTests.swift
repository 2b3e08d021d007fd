// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.long, .withoutSanitizer, .serialized) struct `Killed shop programs` {
  @Test func `a killed and restarted shop has an order for each charge and sells nothing twice`()
    async throws
  {
    let program = try Products.program("ShopKeeper").path
    let folder = TemporaryFolder()
    let books = folder.path("shop")
    var hits = ["noted": 0, "charged": 0, "snapshot": 0]
    let rounds = TestRun.rounds(8, all: 60, full: 200)
    for round in 0..<4 * rounds where round < rounds || hits.values.contains(0) {
      let keeper = try ChildProgram(program, ["run", books])
      #expect(
        await Patience.waitIdly {
          FileManager.default.fileExists(atPath: books + "/ledger")
        })
      usleep(.random(in: 10_000..<150_000))
      // A snapshot takes less time than what lies between two.
      if round % 4 == 0 {
        let half = "\(books)/shop.records.\(keeper.number).new"
        _ = Patience.wait(.seconds(1)) { access(half, F_OK) == 0 }
      }
      keeper.send(SIGKILL)
      #expect(keeper.waited() == -SIGKILL, "the keeper ended by itself")
      let audit = try await Command.run([program, "audit", books])
      var said: [String: String] = [:]
      for line in audit.output.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        said[words[0]] = words.last
      }
      #expect(said["faults"] == "none" && said["damaged"] == "none", "\(audit.output)")
      #expect(said["unsettled"] == "0" && audit.status == 0, "\(audit.output)")
      for name in hits.keys { hits[name, default: 0] += said[name].flatMap(Int.init) ?? 0 }
    }
    print(
      """
      of the kills, \(hits["noted"] ?? 0) purchases were noted and not charged, \
      \(hits["charged"] ?? 0) charged and not placed, \(hits["snapshot"] ?? 0) within a snapshot
      """)
    #expect(!hits.values.contains(0))
  }
}
