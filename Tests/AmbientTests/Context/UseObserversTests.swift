// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Context use observers` {
  @Test func `UseObservers notifies each observer of context uses until the observer is removed`() {
    let told = Guarded<[String]>([])
    /// Other tests use contexts meanwhile.
    func add(_ name: String) -> Int {
      UseObservers.add { context, caller in
        if context == "Observed" { told.withLock { $0.append(name) } }
      }
    }
    func use() -> [String] {
      told.withLock { $0 = [] }
      UseObservers.tellOfProcess("Observed")
      return told.withLock { $0.sorted() }
    }
    let numbers = ["1", "2", "3"].map(add)
    #expect(Set(numbers).count == 3)
    #expect(use() == ["1", "2", "3"])
    UseObservers.remove(numbers[1])
    #expect(use() == ["1", "3"])
    UseObservers.remove(numbers[0])
    UseObservers.remove(numbers[1])
    #expect(use() == ["3"])
    UseObservers.remove(numbers[2])
    #expect(use() == [])
  }
}
