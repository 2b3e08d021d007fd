import Ambient
import Synchronization
import Testing

@Suite(.serialized) struct `A service that holds something back` {
  final class Held: AmbientService {
    let flushes = Atomic<Int>(0)
    func flush() { flushes.add(1, ordering: .relaxed) }
    var count: Int { flushes.load(ordering: .relaxed) }
  }

  @Test func `is flushed when the process's instance is replaced`() {
    let context = AmbientContext<Held>("Held") { Held() }
    let first = Held()
    context.instance = first
    #expect(first.count == 0)
    context.instance = Held()
    #expect(first.count == 1)
  }

  @Test func `is flushed when a scope's instance is replaced`() {
    let context = AmbientContext<Held>("Held") { Held() }
    let first = Held()
    context.withInstance(first) {
      context.instance = Held()
      #expect(first.count == 1)
    }
  }

  @Test func `may assign its own context while it is flushed`() {
    final class Reentrant: AmbientService {
      let action: @Sendable () -> Void
      init(_ action: @escaping @Sendable () -> Void) { self.action = action }
      func flush() { action() }
    }
    enum Target {
      static let context = AmbientContext<Reentrant>("Reentrant") { Reentrant {} }
    }
    let last = Reentrant {}
    Target.context.instance = Reentrant { Target.context.instance = last }
    Target.context.instance = Reentrant {}
    #expect(Target.context.instance === last)
  }
}
