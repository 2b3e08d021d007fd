import Ambient
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
    let captureList = Probe(.home(home), "capture list", throwing: false)
    await home.captureList(captureList)
    let wrapper = Probe(.home(home), "wrapper", throwing: false)
    await home.inOldWrapper(wrapper)
    #if NONSENDING
      let isWrapperMended = true
    #else
      let isWrapperMended = false
    #endif
    var mended = 0
    if captureList.findings().isEmpty {
      print("a block with a capture list stays on its actor now")
      mended += 1
    }
    if wrapper.findings().isEmpty != isWrapperMended {
      print("a wrapper with an isolated parameter behaves in another way now")
      mended += 1
    }
    return mended
  }
}
