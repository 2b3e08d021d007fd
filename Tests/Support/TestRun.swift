// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import Testing

/// The run that the environment variable `AMBIENT_TESTS` asks for.
package enum TestRun: String, CaseIterable {
  /// Without the variable: every test that is not long.
  case short = ""
  /// Every test, with more repetitions if the result depends on chance.
  case all
  /// Every test, with the repetitions that a release needs.
  case full
  /// A build with the thread sanitizer: every test that can find something there, with a fifth of
  /// the repetitions.
  case sanitizer

  package static let asked: Self = {
    let text = ProcessInfo.processInfo.environment["AMBIENT_TESTS"] ?? ""
    guard let run = Self(rawValue: text) else {
      let words = allCases.dropFirst().map(\.rawValue).joined(separator: ", ")
      fatalError("AMBIENT_TESTS is “\(text)”: expected \(words), or nothing")
    }
    return run
  }()

  /// The number of repetitions in this run.
  ///
  /// - Parameters:
  ///   - short: The number without the variable.
  ///   - all: The number for `all`, which takes up to a minute; nil for the number of `short`.
  ///   - full: The number for `full`; nil for the number of `all`.
  package static func rounds(_ short: Int, all: Int? = nil, full: Int? = nil) -> Int {
    switch asked {
    case .short: short
    case .all: all ?? short
    case .full: full ?? all ?? short
    case .sanitizer: max(short / 5, 1)
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Marks a test that builds programs or keeps the processor busy. Run such tests with
  /// `--no-parallel`, because they starve tests that run at the same time.
  package static var long: Self {
    .enabled(if: TestRun.asked != .short, "is long: AMBIENT_TESTS=all runs it")
  }

  /// Marks a test that finds nothing under the thread sanitizer: it builds programs, measures the
  /// process, counts its threads, or runs one task for long.
  package static var withoutSanitizer: Self {
    .disabled(if: TestRun.asked == .sanitizer, "finds nothing under the thread sanitizer")
  }
}
