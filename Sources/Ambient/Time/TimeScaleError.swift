/// A factor by which time cannot run.
public struct TimeScaleError: DescribedError, Hashable {
  /// The factor.
  public let factor: Double

  /// Says what a right factor is.
  public var description: String {
    """
    time cannot run \(factor) times as fast: the factor must be a number above 0, as 60 or 0.5; \
    for time that stands still use Time.freeze(at:)
    """
  }
}
