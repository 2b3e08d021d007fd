internal import Foundation
package import Testing

/// Tests that run only where `AMBIENT_TESTS` asks for them: `all`, or `busy` for one kind alone.
extension Trait where Self == ConditionTrait {
  /// Builds programs, which takes long.
  package static var builds: Self {
    .enabled(if: asked(["all"]), "builds programs: AMBIENT_TESTS=all runs it")
  }

  /// Keeps the processor busy, which disturbs the tests that run beside it.
  package static var busy: Self {
    .enabled(if: asked(["all", "busy"]), "keeps the processor busy: AMBIENT_TESTS=all runs it")
  }

  private static func asked(_ words: [String]) -> Bool {
    ProcessInfo.processInfo.environment["AMBIENT_TESTS"].map(words.contains) ?? false
  }
}
