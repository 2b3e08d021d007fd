import Testing

@testable import Ambient

@Suite struct `An observer of isolating scopes` {
  /// In a process of its own, where no other test opens such a scope.
  @Test func `is told when the first begins and when the last has ended`() async {
    await #expect(processExitsWith: .success) {
      let early = Guarded<[Int]>([])
      let late = Guarded<[Int]>([])
      ContextRegistry.observeIsolations { change in early.withLock { $0.append(change) } }
      precondition(early.withLock { $0 } == [])
      AmbientScope.isolated {
        AmbientScope.isolated {
          ContextRegistry.observeIsolations { change in late.withLock { $0.append(change) } }
        }
        precondition(early.withLock { $0 } == [1])
      }
      AmbientScope.isolated {}
      let told = [early.withLock { $0 }, late.withLock { $0 }]
      precondition(told == [[1, -1, 1, -1], [1, -1, 1, -1]], "\(told)")
    }
  }
}
