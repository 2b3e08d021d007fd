// SPDX-License-Identifier: Apache-2.0

extension Suite {
  /// Every suite, in the order of `--help`.
  static let all: [Suite] = [
    access, scopes, text, log, fileLog, analytics, time, determinism,
  ]
}
