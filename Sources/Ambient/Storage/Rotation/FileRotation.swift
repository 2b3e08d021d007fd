/// When a file is put away under another name, and which of those files are kept.
///
/// ```swift
/// FileRotation.daily(keep: 14)
/// FileRotation.size(100_000_000, keep: 10)
/// FileRotation(size: 100_000_000, every: .day, keepAge: .seconds(30 * 86_400), names: .dated)
/// ```
///
/// One of the processes that append to a file rotates it, the others follow. An empty file is never
/// rotated, and a line is never divided.
public struct FileRotation: Hashable, Sendable {
  /// The stretches of time after which a file is rotated.
  public enum Period: String, Hashable, Sendable, CaseIterable {
    /// Each hour of the zone's clock.
    case hour
    /// Each day of the zone's calendar, of 23 and 25 hours, too.
    case day
  }

  /// How files are called that were put away.
  public enum Names: String, Hashable, Sendable, CaseIterable {
    /// `shop.log.1`, `shop.log.2` …: the newest is 1, and all move up at each rotation.
    case numbered
    /// `shop.log.2026-11-26`, of an hour `shop.log.2026-11-26T13`: when the file was begun.
    ///
    /// The next of the same day or hour are `shop.log.2026-11-26.2`, `.3` …
    case dated
  }

  /// The most bytes that the file grows to, if no line alone is longer; `nil` for no limit.
  public var size: Int?
  /// After which stretches of time the file is rotated, at the next's first line; `nil` for none.
  public var period: Period?
  /// Whose days and hours count, and stand in names.
  public var zone: LogZone
  /// The most files that are kept beside the one that is written to; `nil` for no limit.
  public var keep: Int?
  /// For how long a file is kept after its last line; `nil` for ever.
  ///
  /// A step of the clock by more than that from one file to the next counts once there was a second
  /// one.
  public var keepAge: Duration?
  /// The most bytes that the kept files have together; `nil` for no limit.
  public var keepSize: Int?
  /// How files are called that were put away.
  public var names: Names
  /// Whether these are compressed, in the background, by the system's `gzip`.
  public var isCompressed: Bool

  /// Rotates at a size, after a stretch of time, or at whichever comes first.
  ///
  /// After a rotation, files beyond one of the limits are removed in the order in which they were
  /// put away, whatever their names and the clock say. Wrong values are errors of the log's
  /// initializer.
  ///
  /// - Parameters:
  ///   - size: The most bytes of the file, at least 1.
  ///   - period: The stretch of time that one file is for; nil for none.
  ///   - zone: The zone whose days and hours those are.
  ///   - keep: The most files beside it, at least 0.
  ///   - keepAge: The time since a file's last line, not negative.
  ///   - keepSize: The most bytes of those files together, at least 0.
  ///   - names: How files are named that were put away.
  ///   - isCompressed: Whether the system's `gzip` compresses what was put away.
  public init(
    size: Int? = nil, every period: Period? = nil, zone: LogZone = .local,
    keep: Int? = nil, keepAge: Duration? = nil, keepSize: Int? = nil,
    names: Names = .numbered, isCompressed: Bool = false
  ) {
    self.size = size
    self.period = period
    self.zone = zone
    self.keep = keep
    self.keepAge = keepAge
    self.keepSize = keepSize
    self.names = names
    self.isCompressed = isCompressed
  }

  /// Rotates at the first line of each day; names say the day.
  ///
  /// - Parameters:
  ///   - keep: The most files that are kept beside the one that is written to; nil for all.
  ///   - zone: The zone whose days count, and stand in names.
  ///   - isCompressed: Whether the system's `gzip` compresses what was put away.
  /// - Returns: A rotation by days, without a limit of size.
  public static func daily(
    keep: Int? = nil, zone: LogZone = .local, isCompressed: Bool = false
  ) -> FileRotation {
    FileRotation(every: .day, zone: zone, keep: keep, names: .dated, isCompressed: isCompressed)
  }

  /// Rotates at the first line of each hour; names say day and hour.
  ///
  /// - Parameters:
  ///   - keep: The most files that are kept beside the one that is written to; nil for all.
  ///   - zone: The zone whose hours count, and stand in names.
  ///   - isCompressed: Whether the system's `gzip` compresses what was put away.
  /// - Returns: A rotation by hours, without a limit of size.
  public static func hourly(
    keep: Int? = nil, zone: LogZone = .local, isCompressed: Bool = false
  ) -> FileRotation {
    FileRotation(every: .hour, zone: zone, keep: keep, names: .dated, isCompressed: isCompressed)
  }

  /// Rotates before the file would have more bytes than that; names are numbers.
  ///
  /// - Parameters:
  ///   - bytes: The most bytes of the file, at least 1; only a line that is longer alone exceeds
  ///     it.
  ///   - keep: The most files that are kept beside the one that is written to; nil for all.
  ///   - isCompressed: Whether the system's `gzip` compresses what was put away.
  /// - Returns: A rotation by size, whatever the time.
  public static func size(
    _ bytes: Int, keep: Int? = nil, isCompressed: Bool = false
  ) -> FileRotation {
    FileRotation(size: bytes, keep: keep, isCompressed: isCompressed)
  }

  /// The first wrong value, and how to mend it; nil if all are right.
  var fault: (reason: String, advice: String)? {
    if size == nil, period == nil {
      return ("its rotation has neither a size nor a period", "say when the file is rotated")
    }
    if let size, size < 1 {
      return ("its rotation has a size of \(size) bytes", "give at least 1, or nil for no limit")
    }
    for (name, value) in [("keep", keep), ("keepSize", keepSize)] {
      if let value, value < 0 { return Self.negative(name, "\(value)") }
    }
    if let keepAge, keepAge < .zero { return Self.negative("keepAge", "\(keepAge)") }
    return nil
  }

  private static func negative(_ name: String, _ value: String) -> (String, String) {
    ("its rotation has a negative \(name), \(value)", "give 0 or more, or nil for no limit")
  }
}
