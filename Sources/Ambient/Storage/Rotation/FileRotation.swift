// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// The rules of a file's rotation: when the file is renamed to an archive and a new one is begun,
/// and which archives are kept.
///
/// ```swift
/// FileRotation.daily(keep: 14)
/// FileRotation.size(100_000_000, keep: 10)
/// ```
///
/// One of the processes that append to a file rotates it, and the others then append to the new
/// file. An empty file, a device or a pipe is never rotated, and a line is never split between two
/// files. If a rotation fails, this is reported to ``Diagnostics``, and the file grows until a
/// later attempt succeeds. ``FileLog`` and ``FileAnalytics`` throw a ``FileOpenError`` if there is
/// neither a size nor a period, if the size is below 1, or if a limit of archives is negative.
public struct FileRotation: _Nonisolated, Hashable, Sendable {
  /// A stretch of time after which a file is rotated.
  @nonexhaustive
  public enum Period: String, Hashable, Sendable, CaseIterable {
    /// Each hour of the zone's clock.
    case hour
    /// Each day of the zone's calendar, including days of 23 or 25 hours.
    case day
  }

  /// The form of archives' names.
  @nonexhaustive
  public enum Names: String, Hashable, Sendable, CaseIterable {
    /// `shop.log.1`, `shop.log.2` and so on.
    ///
    /// The newest archive has the number 1, and each rotation increases the numbers of the older
    /// archives by 1, up to the first free number.
    case numbered
    /// `shop.log.2026-11-26`, or `shop.log.2026-11-26T13` for a rotation by hours.
    ///
    /// The name contains the day or hour in which the file was begun. If no log with a rotation
    /// recorded that, the name contains the day or hour of the last line before the log was opened.
    /// Later archives of the same day or hour are `shop.log.2026-11-26.2`, `.3` …
    case dated
  }

  /// The maximum size of the file in bytes, at least 1; `nil` for no limit.
  ///
  /// A line that is longer than the maximum gets a file of its own. While the file cannot be
  /// rotated, it grows beyond the maximum.
  public var size: Int?
  /// The period of time that one file covers; `nil` for no rotation by time.
  ///
  /// The first line of the next period rotates the file. Lines that still wait in the buffer at the
  /// end of a period also go to the next file. The clock is the ``Time`` of the scope in which the
  /// log was made.
  public var period: Period?
  /// The time zone of the days and hours, and of the times in the names of archives.
  public var zone: LogZone
  /// The maximum number of archives, zero or more; `nil` for no limit.
  public var keep: Int?
  /// The time for which an archive is kept after its last line, zero or more; `nil` for ever.
  ///
  /// The first rotation after that time removes the archive. If more than `keepAge` passes between
  /// the last lines of two successive files, the clock may have been set forward. Such a gap is
  /// therefore left out of the ages of archives until a second gap of more than `keepAge` has
  /// followed.
  public var keepAge: Duration?
  /// The maximum size of all archives together in bytes, zero or more; `nil` for no limit.
  public var keepSize: Int?
  /// The form of archives' names.
  public var names: Names
  /// Whether the system's `gzip` compresses archives, in the background; false by default.
  ///
  /// The program is searched for in `PATH`. An archive that `gzip` cannot compress stays as it is,
  /// and the first such failure is reported to ``Diagnostics``.
  public var isCompressed: Bool

  /// Creates a rotation without a rule: set ``size`` or ``period``, or both.
  ///
  /// The file is rotated by whichever comes first. By default, the zone is the local one, archives
  /// are numbered and not compressed, and there are no limits.
  ///
  /// After a rotation, archives beyond one of the limits are removed in the order of their
  /// creation, regardless of their names and the clock.
  public init() { self.init(size: nil) }

  package init(
    size: Int?, every period: Period? = nil, zone: LogZone = .local,
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

  /// A rotation at the first line of each day, with the day in the names of archives.
  ///
  /// - Parameters:
  ///   - keep: The maximum number of archives, zero or more; nil for no limit.
  ///   - zone: The time zone of the days, and of the dates in the names of archives.
  ///   - isCompressed: Whether the system's `gzip` compresses archives.
  /// - Returns: A rotation by days, without a limit of size.
  public static func daily(
    keep: Int? = nil, zone: LogZone = .local, isCompressed: Bool = false
  ) -> FileRotation {
    FileRotation(
      size: nil, every: .day, zone: zone, keep: keep, names: .dated, isCompressed: isCompressed)
  }

  /// A rotation at the first line of each hour, with the day and the hour in the names of archives.
  ///
  /// - Parameters:
  ///   - keep: The maximum number of archives, zero or more; nil for no limit.
  ///   - zone: The time zone of the hours, and of the times in the names of archives.
  ///   - isCompressed: Whether the system's `gzip` compresses archives.
  /// - Returns: A rotation by hours, without a limit of size.
  public static func hourly(
    keep: Int? = nil, zone: LogZone = .local, isCompressed: Bool = false
  ) -> FileRotation {
    FileRotation(
      size: nil, every: .hour, zone: zone, keep: keep, names: .dated, isCompressed: isCompressed)
  }

  /// A rotation before the file grows beyond a size, with numbers in the names of archives.
  ///
  /// - Parameters:
  ///   - bytes: The maximum size of the file in bytes, at least 1. A single longer line, and a file
  ///     that cannot be rotated, exceed it.
  ///   - keep: The maximum number of archives, zero or more; nil for no limit.
  ///   - isCompressed: Whether the system's `gzip` compresses archives.
  /// - Returns: A rotation by size only.
  public static func size(
    _ bytes: Int, keep: Int? = nil, isCompressed: Bool = false
  ) -> FileRotation {
    FileRotation(size: bytes, keep: keep, isCompressed: isCompressed)
  }

  /// The first invalid value, and how to correct it; nil if all are valid.
  var fault: (reason: String, advice: String)? {
    if size == nil, period == nil {
      return ("its rotation has neither a size nor a period", "set at least one")
    }
    if let size, size < 1 {
      return ("its rotation has a size of \(size) bytes", "use at least 1, or nil for no limit")
    }
    for (name, value) in [("keep", keep), ("keepSize", keepSize)] {
      if let value, value < 0 { return Self.negative(name, "\(value)") }
    }
    if let keepAge, keepAge < .zero { return Self.negative("keepAge", "\(keepAge)") }
    return nil
  }

  private static func negative(_ name: String, _ value: String) -> (String, String) {
    ("its rotation has a negative \(name) (\(value))", "use 0 or more, or nil for no limit")
  }
}

/// The rule by which a log's file is rotated, and the scope in which the log was made. The rotation
/// uses the `Time` of this scope.
struct ScopedRotation: Sendable {
  let rule: FileRotation
  private let living: LivingLogs
  private let scope = AmbientScope.capture()

  init(_ rule: FileRotation, living: @escaping LivingLogs) {
    self.rule = rule
    self.living = living
  }

  var now: Date { scope.run { Time.now } }

  /// The rotator of the file at `path`; nil for a device or a pipe.
  func rotator(for path: String, _ permissions: UInt16?, source: String) -> Rotator? {
    Rotator(path: path, rule, mode: permissions ?? 0o644, now: now, source: source, living: living)
  }
}
