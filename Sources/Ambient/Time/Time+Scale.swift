extension Time {
  /// Runs `body` where time runs `factor` times as fast, sleeps included, from where it is.
  ///
  /// - Throws: ``TimeScaleError`` if the factor is not a number above zero; else what `body` throws.
  public static func scale<R>(by factor: Double, _ body: () throws -> R) throws -> R {
    try withInstance(ScaledTime(of: instance, by: factor), body)
  }

  /// Runs `body` where time runs `factor` times as fast, sleeps included, from where it is.
  ///
  /// - Throws: ``TimeScaleError`` if the factor is not a number above zero; else what `body` throws.
  public static func scale<R>(
    by factor: Double, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await withInstance(ScaledTime(of: instance, by: factor), body)
  }
}
