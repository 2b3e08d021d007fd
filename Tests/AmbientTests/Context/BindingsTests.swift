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

@Suite struct `Scopes within each other` {
  @Test func `leave the other contexts bound, wherever one is bound anew`() {
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

  @Test func `hold no service of a context that one further inside binds`() {
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

/// As `Analytics` hosts `Analytics.user`.
@Suite struct `A context that another one hosts` {
  private enum Host { static let context = AmbientContext<String>("Host") { "default" } }

  private enum Other { static let context = AmbientContext<String>("Other") { "default" } }

  private enum Guest {
    static let context = AmbientContext<Held>(
      "Guest", default: { Held() }, host: { Host.context.entry })
  }

  @Test func `keeps what was assigned in a scope of its host until that scope ends`() {
    let (first, second, third) = (Held(), Held(), Held())
    Host.context.withInstance("outer") {
      Guest.context.instance = first
      Other.context.withInstance("other") { Guest.context.instance = second }
      #expect(Guest.context.instance === second)
      #expect((first.count, second.count) == (1, 0))
      Host.context.withInstance("inner") {
        #expect(Guest.context.instance === second, "it is that of the scope around")
        Guest.context.instance = third
        #expect(Guest.context.instance === third)
        #expect((second.count, third.count) == (0, 0))
      }
      #expect(Guest.context.instance === second)
      #expect((second.count, third.count) == (0, 1))
    }
    #expect([first, second, third].map(\.count) == [1, 1, 1])
    let isAssigned = Guest.context.assigned != nil
    #expect(!isAssigned)
  }

  @Test func `is that of the innermost scope that binds it, or in which it was assigned`() {
    let (first, second, third) = (Held(), Held(), Held())
    Host.context.withInstance("host") {
      Guest.context.instance = first
      Guest.context.withInstance(second) {
        #expect(Guest.context.instance === second)
        Guest.context.instance = third
        #expect(Guest.context.instance === third)
        Host.context.withInstance("again") { #expect(Guest.context.instance === third) }
      }
      #expect(Guest.context.instance === first)
      #expect([first, second, third].map(\.count) == [0, 1, 1])
    }
    #expect(first.count == 1)
  }

  @Test func `is a default in an isolating scope, where an assignment ends with it`() {
    let (first, second) = (Held(), Held())
    Host.context.withInstance("host") {
      Guest.context.instance = first
      AmbientScope.isolated {
        #expect(Guest.context.instance !== first)
        Guest.context.instance = second
        Host.context.withInstance("inside") { #expect(Guest.context.instance === second) }
        #expect(Guest.context.instance === second)
      }
      #expect(Guest.context.instance === first)
    }
    #expect((first.count, second.count) == (1, 1))
  }

  @Test func `leaves a scope whose service a scope further inside has replaced`() {
    let (assigned, bound) = (Held(), Held())
    let within = Host.context.withInstance("host") {
      Guest.context.instance = assigned
      return Guest.context.withInstance(bound) {
        Host.context.withInstance("again") { AmbientScope.capture() }
      }
    }
    #expect((assigned.count, bound.count) == (1, 0))
    within.run { #expect(Guest.context.instance === bound) }
    let (around, later) = (Held(), Held())
    let assigning = Guest.context.withInstance(around) {
      Host.context.withInstance("host") {
        Guest.context.instance = later
        return Host.context.withInstance("again") { AmbientScope.capture() }
      }
    }
    #expect((around.count, later.count) == (1, 0))
    assigning.run { #expect(Guest.context.instance === later) }
  }
}
