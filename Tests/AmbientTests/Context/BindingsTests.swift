// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing

@testable import Ambient

/// A service that counts how often it was flushed: once for each time that no scope holds it more.
private final class Held: AmbientService {
  private let flushes = Atomic<Int>(0)
  func flush() { flushes.add(1, ordering: .relaxed) }
  var count: Int { flushes.load(ordering: .relaxed) }
}

@Suite struct `Nested scopes` {
  @Test func `binding a context again in a nested scope doesn't change other contexts' bindings`() {
    let a = AmbientContext<String>("A") { "default" }
    let b = AmbientContext<String>("B") { "default" }
    let c = AmbientContext<String>("C") { "default" }
    func all() -> String { "\(a.instance) \(b.instance) \(c.instance)" }
    a.withInstance("a") {
      b.withInstance("b") {
        c.withInstance("c") {
          #expect(all() == "a b c")
          a.withInstance("x") { #expect(all() == "x b c") }
          b.withInstance("x") { #expect(all() == "a x c") }
          c.withInstance("x") {
            #expect(all() == "a b x")
            b.withInstance("y") { a.withInstance("z") { #expect(all() == "z y x") } }
          }
          #expect(all() == "a b c")
        }
      }
    }
    #expect(all() == "default default default")
  }

  @Test func `a captured scope doesn't keep alive a service that an inner binding hides`() {
    let context = AmbientContext<Held>("Held") { Held() }
    let other = AmbientContext<String>("Other") { "default" }
    let (outer, inner) = (Held(), Held())
    let scope = context.withInstance(outer) {
      other.withInstance("other") { context.withInstance(inner) { AmbientScope.capture() } }
    }
    #expect((outer.count, inner.count) == (1, 0))
    scope.run {
      #expect(context.instance === inner)
      #expect(other.instance == "other")
    }
  }
}

/// As a scope of `Analytics` binds `Analytics.user`, too.
@Suite struct `Secondary context bindings` {
  private enum First {
    static let context = AmbientContext<String>("First") { "default" }

    /// Opens a scope of this context, which binds the second, too.
    static func withInstance<R>(_ name: String, _ body: () -> R) -> R {
      Bindings.with(context.binding(name, with: Second.context.entry), body)
    }

    static func withInstance<R>(
      _ name: String, _ body: nonisolated(nonsending) () async -> R
    ) async -> R {
      await Bindings.with(context.binding(name, with: Second.context.entry), body)
    }
  }

  private enum Other { static let context = AmbientContext<String>("Other") { "default" } }

  private enum Second { static let context = AmbientContext<Held>("Second") { Held() } }

  @Test func `if a scope binds two contexts, an assignment to the second ends with the scope`() {
    let (first, second, third) = (Held(), Held(), Held())
    First.withInstance("outer") {
      Second.context.instance = first
      Other.context.withInstance("other") { Second.context.instance = second }
      #expect(Second.context.instance === second)
      #expect((first.count, second.count) == (1, 0))
      First.withInstance("inner") {
        #expect(Second.context.instance === second, "it is that of the scope around")
        Second.context.instance = third
        #expect(Second.context.instance === third)
        #expect((second.count, third.count) == (0, 0))
      }
      #expect(Second.context.instance === second)
      #expect((second.count, third.count) == (0, 1))
    }
    #expect([first, second, third].map(\.count) == [1, 1, 1])
    let isAssigned = Second.context.assigned != nil
    #expect(!isAssigned)
  }

  @Test func `if a scope binds two contexts, the second has its innermost binding or assignment`() {
    let (first, second, third) = (Held(), Held(), Held())
    First.withInstance("first") {
      Second.context.instance = first
      Second.context.withInstance(second) {
        #expect(Second.context.instance === second)
        Second.context.instance = third
        #expect(Second.context.instance === third)
        First.withInstance("again") { #expect(Second.context.instance === third) }
      }
      #expect(Second.context.instance === first)
      #expect([first, second, third].map(\.count) == [0, 1, 1])
    }
    #expect(first.count == 1)
  }

  @Test func `if a scope binds two contexts, the second has the outer value until it is assigned`()
  {
    let (early, late, inner) = (Held(), Held(), Held())
    AmbientScope.isolated {
      Second.context.instance = early
      let around = AmbientScope.capture()
      First.withInstance("first") {
        #expect(Second.context.instance === early)
        around.run { Second.context.instance = late }
        #expect(Second.context.instance === late)
        Second.context.instance = inner
        around.run { Second.context.instance = early }
        #expect(Second.context.instance === inner)
      }
      #expect(Second.context.instance === early)
    }
  }

  @Test func `if a scope binds two contexts, several tasks can assign the second concurrently`()
    async
  {
    let all = (0..<64).map { _ in Held() }
    await First.withInstance("first") {
      await withTaskGroup { group in
        for held in all { group.addTask { Second.context.instance = held } }
      }
      let last = Second.context.instance
      #expect(all.allSatisfy { $0.count == ($0 === last ? 0 : 1) })
    }
    #expect(await Patience.waitIdly { all.allSatisfy { $0.count == 1 } })
  }

  @Test
  func `if a scope binds two contexts, an inner isolating scope resets the second to default`() {
    let (first, second) = (Held(), Held())
    First.withInstance("first") {
      Second.context.instance = first
      AmbientScope.isolated {
        #expect(Second.context.instance !== first)
        Second.context.instance = second
        First.withInstance("inside") { #expect(Second.context.instance === second) }
        #expect(Second.context.instance === second)
      }
      #expect(Second.context.instance === first)
    }
    #expect((first.count, second.count) == (1, 1))
  }

  @Test
  func `a captured scope frees a service that a nested scope replaced, beside another context`() {
    let (assigned, bound) = (Held(), Held())
    let within = First.withInstance("first") {
      Second.context.instance = assigned
      return Second.context.withInstance(bound) {
        First.withInstance("again") { AmbientScope.capture() }
      }
    }
    #expect((assigned.count, bound.count) == (1, 0))
    within.run { #expect(Second.context.instance === bound) }
    let (around, later) = (Held(), Held())
    let assigning = Second.context.withInstance(around) {
      First.withInstance("first") {
        Second.context.instance = later
        return First.withInstance("again") { AmbientScope.capture() }
      }
    }
    #expect((around.count, later.count) == (1, 0))
    assigning.run { #expect(Second.context.instance === later) }
  }
}
