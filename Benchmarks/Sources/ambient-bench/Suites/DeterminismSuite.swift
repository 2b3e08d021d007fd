// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

extension Suite {
  /// The scenario in which schedulers that guess go wrong, ten thousand times under each load.
  static let determinism = Suite(
    name: "determinism", abstract: "one program in virtual time, 10,000 times under each load"
  ) { bench in
    let expected = try await DeterminismScenario.run()
    let rounds = bench.mode == .full ? 10_000 : 100
    let cases = Load.allCases.map { load in
      // What it allocates is the scenario's own affair.
      Case("load: \(load)", calls: rounds, allowance: .infinity) { count in
        try await load.run {
          for round in 0..<count {
            let log = try await DeterminismScenario.run()
            guard log == expected else { throw WrongLog(load: load, round: round, log: log) }
          }
          return expected.utf8.count
        }
      }
    }
    try await bench.measure("a run", floor: cases[0], Array(cases[1...]), rounds: 1)
    let scopes = Case("eight scopes at once", calls: rounds, allowance: .infinity) { count in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            for round in 0..<(count / 8) {
              let log = try await DeterminismScenario.run()
              guard log == expected else { throw WrongLog(load: .none, round: round, log: log) }
            }
          }
        }
        try await group.waitForAll()
        return 8
      }
    }
    try await bench.measure("a run, many scopes", floor: cases[0], [scopes], rounds: 1)
  }
}

/// A run that went otherwise than the first.
private struct WrongLog: Error, CustomStringConvertible {
  let load: Load
  let round: Int
  let log: String

  var description: String { "round \(round) under load \(load) went another way:\n\(log)" }
}
