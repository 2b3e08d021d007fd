extension Suite {
  /// Every suite, in the order of `--help`.
  static let all: [Suite] = [
    access, scopes, text, log, fileLog, analytics, time, determinism,
  ]
}
