// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

/// The benchmarks run ten thousand rounds of each.
@Suite(.serialized)
struct `Determinism of virtual time` {
  @Test func `a program in virtual time has the same log in every run`() async throws {
    try await expectOneLog(.none, rounds: 200)
  }

  // Few rounds under a load, which slows down every other test that runs meanwhile.
  @Test(.long, arguments: [Load.threads, .threadsAndTasks])
  func `a program in virtual time has the same log on a busy machine`(load: Load) async throws {
    try await expectOneLog(load, rounds: 40)
  }

  private func expectOneLog(_ load: Load, rounds: Int) async throws {
    let logs = try await load.run {
      var logs: Set<String> = []
      for _ in 0..<TestRun.rounds(rounds) { logs.insert(try await DeterminismScenario.run()) }
      return logs
    }
    #expect(logs.count == 1)
    #expect(logs.first?.contains("31.0 end") == true)
  }

  @Test func `a program in virtual time has the same log in eight concurrent scopes`() async throws
  {
    let logs = try await withThrowingTaskGroup(of: Set<String>.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var logs: Set<String> = []
          for _ in 0..<20 { logs.insert(try await DeterminismScenario.run()) }
          return logs
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(logs == [try await DeterminismScenario.run()])
  }
}
