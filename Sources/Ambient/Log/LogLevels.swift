/// From which level on a log accepts records: in general, and in modules that differ.
///
/// ```swift
/// let log = try StdoutLog(levels: LogLevels("info,Checkout=debug,Chatter=off"))
/// ```
public struct LogLevels: Hashable, Sendable {
  private struct Exception: Hashable {
    let module: String
    var level: LogLevel?
  }

  /// The lowest level that is accepted where no module says otherwise; nil accepts nothing.
  public var level: LogLevel?
  private var exceptions: [Exception] = []

  /// `level` and above in every module; nil accepts nothing.
  public init(_ level: LogLevel?) { self.level = level }

  /// The lowest level that is accepted from that module, the first part of `#fileID`; nil accepts
  /// nothing.
  public subscript(module: String) -> LogLevel? {
    get { exceptions.first { $0.module == module }.map(\.level) ?? level }
    set {
      exceptions.removeAll { $0.module == module }
      exceptions.append(Exception(module: module, level: newValue))
    }
  }

  /// The levels from the environment's `LOG_LEVEL`, as `info,Checkout=debug`; else `info`.
  ///
  /// It is read once. A part that is wrong is passed over, and reported to ``Diagnostics`` when
  /// something is logged for the first time.
  public static var environment: LogLevels { LogEnvironment.levels }

  func rank(fileID: String) -> UInt8 {
    for exception in exceptions where fileID.utf8.starts(with: exception.module.utf8) {
      let end = fileID.utf8.index(fileID.startIndex, offsetBy: exception.module.utf8.count)
      if end == fileID.endIndex || fileID.utf8[end] == UInt8(ascii: "/") {
        return exception.level.rank
      }
    }
    return level.rank
  }

  /// Every rank from here on is accepted somewhere.
  var lowestRank: UInt8 { exceptions.map(\.level.rank).reduce(level.rank, min) }

  /// Every rank from here on is accepted everywhere.
  var highestRank: UInt8 { exceptions.map(\.level.rank).reduce(level.rank, max) }
}

extension LogLevels: CustomStringConvertible {
  /// The levels as they would be written in `LOG_LEVEL`.
  public var description: String {
    let parts = exceptions.map { "\($0.module)=\($0.level?.rawValue ?? "off")" }
    return ([level?.rawValue ?? "off"] + parts).joined(separator: ",")
  }
}
