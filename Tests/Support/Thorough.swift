internal import Foundation
package import Testing

/// Traits of tests that run only if the environment variable `AMBIENT_TESTS` enables them: `all`
/// for all of them, `full` for all with the repetitions that a release needs, or `busy` for one
/// kind. Run them with `--no-parallel`, because they starve tests that run at the same time.
extension Trait where Self == ConditionTrait {
  /// Marks a test that builds programs, which takes long.
  package static var builds: Self {
    .enabled(if: asked(["all", "full"]), "builds programs: AMBIENT_TESTS=all runs it")
  }

  /// Marks a test that keeps the processor busy.
  package static var busy: Self {
    .enabled(
      if: asked(["all", "full", "busy"]), "keeps the processor busy: AMBIENT_TESTS=all runs it")
  }

  /// Marks a test that starts programs that write as fast as they can.
  package static var writers: Self {
    .enabled(if: asked(["all", "full"]), "starts busy programs: AMBIENT_TESTS=all runs it")
  }

  private static func asked(_ words: [String]) -> Bool {
    ProcessInfo.processInfo.environment["AMBIENT_TESTS"].map(words.contains) ?? false
  }
}

/// The number of repetitions in tests whose result depends on chance.
package enum Thorough {
  /// The number of writers that are killed, set by `AMBIENT_KILLS`.
  package static var kills: Int { number("AMBIENT_KILLS", 8, 60, 200) }

  /// The number of lines that each of several threads logs, set by `AMBIENT_LINES`.
  package static var lines: Int { number("AMBIENT_LINES", 2_000, 20_000, 50_000) }

  /// The number of forks of a program while its threads log, set by `AMBIENT_FORKS`.
  package static var forks: Int { number("AMBIENT_FORKS", 20, 60, 200) }

  /// The number of killed writers that write line by line, set by `AMBIENT_LINE_KILLS`.
  package static var lineKills: Int { number("AMBIENT_LINE_KILLS", 16, 60, 200) }

  /// The number of seconds for which a lock is held while a log is written, set by
  /// `AMBIENT_LOCKED_SECONDS`.
  package static var seconds: Int { number("AMBIENT_LOCKED_SECONDS", 2, 3, 30) }

  /// How many times a file is damaged, set by `AMBIENT_DAMAGES`.
  package static var damages: Int { number("AMBIENT_DAMAGES", 60, 500, 2_000) }

  /// The number of writers that get a signal while they write, set by `AMBIENT_SIGNALS`.
  package static var signals: Int { number("AMBIENT_SIGNALS", 4, 16, 40) }

  /// How often `logrotate` rotates a file that is being written, set by `AMBIENT_ROTATIONS`.
  package static var rotations: Int { number("AMBIENT_ROTATIONS", 4, 16, 40) }

  /// The number of events that are tracked while their server is killed, set by `AMBIENT_EVENTS`.
  package static var events: Int { number("AMBIENT_EVENTS", 2_000, 10_000, 20_000) }

  /// The number of records made from private values that are nested at random, set by
  /// `AMBIENT_NESTINGS`.
  package static var nestings: Int { number("AMBIENT_NESTINGS", 500, 3_000, 10_000) }

  /// The number of seconds in each year of which a test formats every millisecond, set by
  /// `AMBIENT_SECONDS`.
  package static var secondsOfYear: Int { number("AMBIENT_SECONDS", 2, 6, 20) }

  /// The number of answers that are mutated at random before they are sent, set by
  /// `AMBIENT_MUTATIONS`.
  package static var mutations: Int { number("AMBIENT_MUTATIONS", 200, 1_500, 5_000) }

  /// The number of instants at which a rule of time is compared with a slow statement of it, set by
  /// `AMBIENT_INSTANTS`.
  package static var instants: Int { number("AMBIENT_INSTANTS", 1_500, 10_000, 10_000) }

  /// The number of random operations on a journal and on its model, set by `AMBIENT_STEPS`.
  package static var steps: Int { number("AMBIENT_STEPS", 1_000, 3_000, 10_000) }

  /// The number of statuses that a server answers with, of each range that a page tells of, set by
  /// `AMBIENT_STATUSES`.
  package static var statuses: Int { number("AMBIENT_STATUSES", 2, 500, 500) }

  /// The value of the environment variable of that name. Without one, `all` if `AMBIENT_TESTS` is
  /// `full`; `many`, which takes up to a minute in each test, if it is `all`; and `few` otherwise.
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
