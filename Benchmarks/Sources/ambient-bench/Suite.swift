// SPDX-License-Identifier: Apache-2.0

/// What is measured in one process, in a file of its own in `Suites/`.
struct Suite: Sendable {
  let name: String
  /// One line for `--help`.
  let abstract: String
  /// Measures, one stage after another.
  let run: @Sendable (_ bench: Bench) async throws -> Void
}
