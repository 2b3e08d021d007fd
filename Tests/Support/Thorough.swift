internal import Foundation
package import Testing

/// Tests that run only where `AMBIENT_TESTS` asks for them: `all`, `full` for as often as a release
/// needs, or `busy` for one kind alone; with `--no-parallel`, since they starve what runs beside
/// them.
extension Trait where Self == ConditionTrait {
  /// Builds programs, which takes long.
  package static var builds: Self {
    .enabled(if: asked(["all", "full"]), "builds programs: AMBIENT_TESTS=all runs it")
  }

  /// Keeps the processor busy.
  package static var busy: Self {
    .enabled(
      if: asked(["all", "full", "busy"]), "keeps the processor busy: AMBIENT_TESTS=all runs it")
  }

  /// Starts programs that write as fast as they can.
  package static var writers: Self {
    .enabled(if: asked(["all", "full"]), "starts busy programs: AMBIENT_TESTS=all runs it")
  }

  private static func asked(_ words: [String]) -> Bool {
    ProcessInfo.processInfo.environment["AMBIENT_TESTS"].map(words.contains) ?? false
  }
}

/// How often a test tries what depends on chance.
package enum Thorough {
  /// How many writers are killed: as `AMBIENT_KILLS` says, else as many as there is time for.
  package static var kills: Int { number("AMBIENT_KILLS", 8, 60, 200) }

  /// How many lines each of several threads logs: as `AMBIENT_LINES` says.
  package static var lines: Int { number("AMBIENT_LINES", 2_000, 20_000, 50_000) }

  /// How often a program forks while its threads log: as `AMBIENT_FORKS` says.
  package static var forks: Int { number("AMBIENT_FORKS", 20, 60, 200) }

  /// How many writers that write line by line are killed: as `AMBIENT_LINE_KILLS` says.
  package static var lineKills: Int { number("AMBIENT_LINE_KILLS", 16, 60, 200) }

  /// For how many seconds a lock is held while a log is written: as `AMBIENT_LOCKED_SECONDS` says.
  package static var seconds: Int { number("AMBIENT_LOCKED_SECONDS", 2, 5, 30) }

  /// How many damages are done to a file: as `AMBIENT_DAMAGES` says.
  package static var damages: Int { number("AMBIENT_DAMAGES", 60, 500, 2_000) }

  /// How many writers get a signal while they write: as `AMBIENT_SIGNALS` says.
  package static var signals: Int { number("AMBIENT_SIGNALS", 4, 16, 40) }

  /// How often others rotate a file that is being written: as `AMBIENT_ROTATIONS` says.
  package static var rotations: Int { number("AMBIENT_ROTATIONS", 4, 16, 40) }

  /// How many events are tracked while their server is killed: as `AMBIENT_EVENTS` says.
  package static var events: Int { number("AMBIENT_EVENTS", 2_000, 10_000, 20_000) }

  /// How many records are made of private values nested at random: as `AMBIENT_NESTINGS` says.
  package static var nestings: Int { number("AMBIENT_NESTINGS", 500, 3_000, 10_000) }

  /// Of how many seconds of each year all milliseconds are shown: as `AMBIENT_SECONDS` says.
  package static var secondsOfYear: Int { number("AMBIENT_SECONDS", 2, 6, 20) }

  /// How many answers are changed at random before they are sent: as `AMBIENT_MUTATIONS` says.
  package static var mutations: Int { number("AMBIENT_MUTATIONS", 500, 1_500, 5_000) }

  /// As the variable of that name says; else `all` where `AMBIENT_TESTS` is `full`, `many` where it
  /// is `all`, which take a minute in each test, and `few` otherwise.
  private static func number(_ name: String, _ few: Int, _ many: Int, _ all: Int) -> Int {
    let environment = ProcessInfo.processInfo.environment
    if let number = environment[name].flatMap(Int.init) { return number }
    switch environment["AMBIENT_TESTS"] {
    case "full": return all
    case "all": return many
    default: return few
    }
  }
}
