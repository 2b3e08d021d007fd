import Ambient
import AmbientVirtualTime
import Foundation

extension Probe {
  nonisolated static let date = Date(timeIntervalSinceReferenceDate: 0)
}

/// Where code without a mark runs, which is called from the main actor.
#if MAIN || NONSENDING
  nonisolated let unmarkedPlace = Place.main
#else
  nonisolated let unmarkedPlace = Place.pool
#endif

@main nonisolated struct Program {
  static func main() async throws {
    var wrong = 0
    for throwing in [false, true] {
      wrong += await all(throwing, "")
      wrong += try await Time.virtual(from: Probe.date) { _ in await all(throwing, "virtual, ") }
    }
    for _ in 1...4 where await !Shop.keepsAll() {
      print("changes of a block and of its actor were lost")
      wrong += 1
    }
    if try await Handed().work() != 2 { wrong += 1 }
    wrong += await known()
    print(wrong == 0 ? "right" : "\(wrong) wrong")
    if wrong > 0 { exit(1) }
  }

  /// Calls all verbs from code of each kind, and returns how many lines ran elsewhere.
  @concurrent private static func all(_ throwing: Bool, _ prefix: String) async -> Int {
    let (home, other) = (Home(), Home())
    func probe(_ place: Place, _ name: String) -> Probe {
      Probe(place, prefix + name, throwing: throwing)
    }
    let unmarkedProbe = probe(unmarkedPlace, "unmarked")
    let main = probe(.main, "main actor")
    let mainNonsending = probe(.main, "nonsending, from the main actor")
    let mainInherited = probe(.main, "an isolated parameter, from the main actor")
    await onMain(unmarkedProbe, main, mainNonsending, mainInherited)
    let pool = probe(.pool, "concurrent")
    await concurrent(pool)
    let withoutSelf = probe(.home(home), "an actor, without self")
    await home.withoutSelf(withoutSelf)
    let withSelf = probe(.home(home), "an actor, with self")
    await home.withSelf(withSelf)
    let homeNonsending = probe(.home(home), "nonsending, from an actor")
    await home.callNonsending(homeNonsending)
    let captured = probe(.home(home), "an isolated parameter that the block uses")
    await home.callIsolated(captured)
    let elsewhere = probe(.home(home), "an isolated parameter that the block does not use")
    await home.callElsewhere(elsewhere)
    let homeInherited = probe(.home(home), "an isolated parameter, from an actor")
    await home.callInherited(homeInherited)
    let task = probe(.home(home), "a task of an actor")
    await home.taskWithSelf(task)
    let hard = probe(.home(home), "scopes in scopes, and a cancelled task")
    await home.hard(hard, other)
    return [
      unmarkedProbe, main, mainNonsending, mainInherited, pool, withoutSelf, withSelf,
      homeNonsending, captured, elsewhere, homeInherited, task, hard,
    ].reduce(0) { $0 + $1.report() }
  }

  @MainActor private static func onMain(
    _ unmarkedProbe: Probe, _ main: Probe, _ nonsendingProbe: Probe, _ inheritedProbe: Probe
  ) async {
    await unmarked(unmarkedProbe)
    await callAll(main)
    await nonsending(nonsendingProbe)
    await inherited(inheritedProbe)
    // A task of the main actor.
    await Task { await nonsending(nonsendingProbe) }.value
  }

  /// What compiler errors leave wrong. When a toolchain mends one, it counts as wrong, so that this
  /// list and the page are corrected.
  private static func known() async -> Int {
    let home = Home()
    func probe(_ name: String) -> Probe { Probe(.home(home), name, throwing: false) }
    #if NONSENDING
      let isRight = true
    #else
      let isRight = false
    #endif
    let captureList = probe("a block with a capture list")
    await home.captureList(captureList)
    let concurrent = probe("a concurrent block")
    await home.concurrentBlock(concurrent)
    let stored = probe("a block that is kept in a variable")
    await home.storedBlock(stored)
    let wrapper = probe("a wrapper with an isolated parameter")
    await home.inOldWrapper(wrapper)
    let known = [(captureList, false), (concurrent, false), (stored, isRight), (wrapper, isRight)]
    let changed = known.filter { $0.0.findings().isEmpty != $0.1 }
    for (probe, _) in changed { print("\(probe.name) behaves in another way now") }
    return changed.count
  }
}
