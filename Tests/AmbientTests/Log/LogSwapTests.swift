// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Log swaps under load` {
  @Test func `if the log of a scope is replaced while tasks log, no record is lost`() async {
    await AmbientScope.isolated {
      let recorders = await swapWhileLogging()
      #expect(recorders.map(\.records.count).reduce(0, +) == 8 * 500)
    }
  }

  @Test func `if the process's log is replaced while tasks log, no record is lost`() async {
    await #expect(processExitsWith: .success) {
      Diagnostics.instance = .calling { _ in }
      let recorders = await swapWhileLogging()
      let numbers = recorders.flatMap(\.messages)
      #expect(numbers.count == 8 * 500 && Set(numbers).count == 8 * 500)
    }
  }
}

private func swapWhileLogging() async -> [LogRecorder] {
  let recorders = (0..<8).map { LogRecorder(level: $0 % 2 == 0 ? .info : .trace) }
  Log.instance = recorders[0]
  await withTaskGroup { group in
    for task in 0..<8 {
      group.addTask {
        for number in 0..<500 {
          Log.info("\(task) \(number)")
          if number % 50 == 0 { Log.instance = recorders[(task + number / 50) % 8] }
        }
      }
    }
  }
  return recorders
}
