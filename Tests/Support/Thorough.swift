internal import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// Runs the test only where the environment asks for all: it builds programs, or keeps the
  /// processor busy, which takes long and disturbs the tests that run beside it.
  package static var thorough: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["AMBIENT_TESTS"] == "all",
      "takes long: AMBIENT_TESTS=all runs it")
  }
}
