// SPDX-License-Identifier: Apache-2.0

/// The lowest level that a log accepts: in general, and for single modules.
///
/// ```swift
/// let log = StdoutLog(level: .warning)
/// let other = try StdoutLog(level: LogLevels("info,Checkout=debug,Chatter=off"))
/// ```
public struct LogLevels: _Nonisolated, Hashable, Sendable {
  private struct Exception: Hashable {
    let module: String
    let threshold: LogLevel?
  }

  /// The lowest accepted level of modules without an exception; nil if no level is accepted.
  private var threshold: LogLevel?
  /// The modules with a threshold of their own. They are sorted by name, so that the order of
  /// assignments does not affect equality.
  private var exceptions: [Exception] = []

  private init(_ threshold: LogLevel?) { self.threshold = threshold }

  /// Accepts that level and the more severe ones in all modules.
  ///
  /// - Parameter level: The lowest accepted level.
  public static func from(_ level: LogLevel) -> LogLevels { LogLevels(level) }
  /// Accepts all levels.
  public static let trace = LogLevels(.trace)
  /// `debug` and above.
  public static let debug = LogLevels(.debug)
  /// `info` and above.
  public static let info = LogLevels(.info)
  /// `notice` and above.
  public static let notice = LogLevels(.notice)
  /// `warning` and above.
  public static let warning = LogLevels(.warning)
  /// `error` and above.
  public static let error = LogLevels(.error)
  /// `critical` alone.
  public static let critical = LogLevels(.critical)
  /// Accepts no level.
  public static let off = LogLevels(nil)

  /// The level of modules that have no level of their own, as in `log.level.general = .debug`.
  ///
  /// Only the general level of an assigned value counts.
  public var general: LogLevels {
    get { LogLevels(threshold) }
    set { threshold = newValue.threshold }
  }

  /// The module's own level; nil if it has none.
  ///
  /// Assigning nil removes the level. Only the general level of an assigned value counts.
  ///
  /// - Parameter module: The module's name in Swift, the first part of `#fileID`.
  public subscript(module: String) -> LogLevels? {
    get { exceptions.first { $0.module == module }.map { LogLevels($0.threshold) } }
    set {
      exceptions.removeAll { $0.module == module }
      guard let newValue else { return }
      let place = exceptions.firstIndex { $0.module > module } ?? exceptions.endIndex
      exceptions.insert(Exception(module: module, threshold: newValue.threshold), at: place)
    }
  }

  /// The levels in the variable `LOG_LEVEL`, such as `info,Checkout=debug`; by default `info`.
  ///
  /// The variable is read once, and is ignored if the process runs with more rights than its
  /// caller. A malformed part is ignored, and is reported to ``Diagnostics`` at the first call that
  /// logs a message.
  public static var environment: LogLevels { LogEnvironment.levels }

  func rank(fileID: String) -> UInt8 {
    for exception in exceptions where fileID.utf8.starts(with: exception.module.utf8) {
      let end = fileID.utf8.index(fileID.startIndex, offsetBy: exception.module.utf8.count)
      if end == fileID.endIndex || fileID.utf8[end] == UInt8(ascii: "/") {
        return exception.threshold.rank
      }
    }
    return threshold.rank
  }

  /// The lowest rank that some module accepts.
  var lowestRank: UInt8 { exceptions.map(\.threshold.rank).reduce(threshold.rank, min) }

  /// The lowest rank that all modules accept.
  var highestRank: UInt8 { exceptions.map(\.threshold.rank).reduce(threshold.rank, max) }
}

extension LogLevels: CustomStringConvertible {
  /// The levels in the form of `LOG_LEVEL`, modules in the order of their names.
  public var description: String {
    let parts = exceptions.map { "\($0.module)=\($0.threshold?.rawValue ?? "off")" }
    return ([threshold?.rawValue ?? "off"] + parts).joined(separator: ",")
  }
}

extension LogLevels {
  /// Reads a general level and levels of modules, such as `info,Checkout=debug`.
  ///
  /// The names of levels are those of ``LogLevel``, and also `warn` and `off`, in upper or lower
  /// case. The name of a module is the one that Swift code imports. If a module, or the general
  /// level, is repeated, the last value counts. The general level is `info` unless the text has
  /// one.
  ///
  /// - Parameter text: The levels in the form of `LOG_LEVEL`: `info,Checkout=debug,Chatter=off`.
  /// - Throws: ``SettingError`` for the first malformed part.
  public init(_ text: String) throws(SettingError) {
    let (levels, errors) = Self.read(text)
    if let error = errors.first { throw error }
    self = levels
  }

  /// Reads levels; ignores malformed parts, and returns an error for each.
  static func read(_ text: String) -> (LogLevels, [SettingError]) {
    var levels = LogLevels.info
    var errors: [SettingError] = []
    for part in text.split(separator: ",").map(trimmed) where !part.isEmpty {
      do throws(SettingError) {
        try levels.read(part: part)
      } catch {
        errors.append(error)
      }
    }
    return (levels, errors)
  }

  private mutating func read(part: Substring) throws(SettingError) {
    guard let sign = part.firstIndex(of: "=") else {
      general = try Self.level(part)
      return
    }
    let module = Self.trimmed(part[..<sign])
    guard let first = module.first, !first.isNumber,
      module.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    else { throw .module(String(part)) }
    self[String(module)] = try Self.level(Self.trimmed(part[part.index(after: sign)...]))
  }

  private static func level(_ name: Substring) throws(SettingError) -> LogLevels {
    switch name.lowercased() {
    case "off": return .off
    case "warn": return .warning
    case let lowercased:
      guard let level = LogLevel(rawValue: lowercased) else {
        throw .level(String(name))
      }
      return .from(level)
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

extension LogLevel? {
  /// The lowest accepted rank; 7, which is above all levels, for nil.
  var rank: UInt8 { self?.rank ?? 7 }
}
