internal import Synchronization

/// From which level on a log accepts records: in general, and in modules that differ.
///
/// ```swift
/// let log = StdoutLog(level: .warning)
/// let other = try StdoutLog(level: LogLevels("info,Checkout=debug,Chatter=off"))
/// ```
public struct LogLevels: Hashable, Sendable {
  private struct Exception: Hashable {
    let module: String
    let level: LogThreshold
  }

  /// From which level on records are accepted where no module differs.
  public var general: LogThreshold
  /// In the order of their modules, so that equal levels are equal however they were set.
  private var exceptions: [Exception] = []

  /// The same in every module.
  ///
  /// - Parameter level: The threshold: a level and above, or `.off`.
  public init(_ level: LogThreshold) { general = level }

  /// That level, and those that matter more, in every module.
  ///
  /// - Parameter level: The least level that is accepted.
  public static func from(_ level: LogLevel) -> LogLevels { LogLevels(.from(level)) }
  /// Everything.
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
  /// Nothing.
  public static let off = LogLevels(.off)

  /// From which level on records are accepted from that module, the first part of `#fileID`, if it
  /// differs; assigning nil lets it differ no more.
  ///
  /// - Parameter module: The name of the module, as Swift has it.
  public subscript(module: String) -> LogThreshold? {
    get { exceptions.first { $0.module == module }?.level }
    set {
      exceptions.removeAll { $0.module == module }
      guard let newValue else { return }
      let place = exceptions.firstIndex { $0.module > module } ?? exceptions.endIndex
      exceptions.insert(Exception(module: module, level: newValue), at: place)
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
    return general.rank
  }

  /// Every rank from here on is accepted somewhere.
  var lowestRank: UInt8 { exceptions.map(\.level.rank).reduce(general.rank, min) }

  /// Every rank from here on is accepted everywhere.
  var highestRank: UInt8 { exceptions.map(\.level.rank).reduce(general.rank, max) }
}

extension LogLevels: CustomStringConvertible {
  /// The levels as they would be written in `LOG_LEVEL`, modules in the order of their names.
  public var description: String {
    let parts = exceptions.map { "\($0.module)=\($0.level)" }
    return (["\(general)"] + parts).joined(separator: ",")
  }
}

extension LogLevels {
  /// The levels that `text` says: a level, and levels of modules, as `info,Checkout=debug`.
  ///
  /// The names of levels are those of ``LogLevel``, `warn` and `off`, in any case; those of modules
  /// are as Swift has them. Of two parts that speak of the same, the later holds. Without a general
  /// level it is `info`.
  ///
  /// - Parameter text: Levels as `LOG_LEVEL` has them: `info,Checkout=debug,Chatter=off`.
  /// - Throws: ``LogSettingError`` for the first part that is wrong.
  public init(_ text: String) throws(LogSettingError) {
    let (levels, errors) = Self.read(text)
    if let error = errors.first { throw error }
    self = levels
  }

  /// The levels that `text` says, passing over the parts that are wrong.
  static func read(_ text: String) -> (LogLevels, [LogSettingError]) {
    var levels = LogLevels.info
    var errors: [LogSettingError] = []
    for part in text.split(separator: ",").map(trimmed) where !part.isEmpty {
      do throws(LogSettingError) {
        try levels.read(part: part)
      } catch {
        errors.append(error)
      }
    }
    return (levels, errors)
  }

  private mutating func read(part: Substring) throws(LogSettingError) {
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

  private static func level(_ name: Substring) throws(LogSettingError) -> LogThreshold {
    switch name.lowercased() {
    case "off": return .off
    case "warn": return .warning
    case let lowercased:
      guard let level = LogLevel(rawValue: lowercased) else { throw .level(String(name)) }
      return .from(level)
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

/// What the environment says of logging.
enum LogEnvironment {
  /// Read once; nothing here calls anybody, so that it may be read from anywhere.
  private static let settings: (levels: LogLevels, faults: [(name: String, text: String)]) = {
    let (levels, errors) = LogLevels.read(Environment.value("LOG_LEVEL") ?? "")
    var faults = errors.map { (name: "LOG_LEVEL", text: "\($0). In force is \(levels).") }
    let privacy = Environment.value("LOG_PRIVATE") ?? ""
    if !["", "show", "hide"].contains(privacy) {
      faults.append(("LOG_PRIVATE", "\(LogSettingError.privacy(privacy)). Values are hidden."))
    }
    return (levels, faults)
  }()

  static var levels: LogLevels { settings.levels }

  /// Reports what is wrong: not while a log is made, since no initializer reads a context.
  static func report() {
    for (name, text) in settings.faults {
      Diagnostics.report(Diagnostic(.invalidSetting, source: name, text))
    }
  }
}

/// A setting of the log that could not be understood.
public enum LogSettingError: DescribedError, Hashable {
  /// No level has that name.
  case level(String)
  /// A level is set for what is no name of a module, as in `=debug`.
  case module(String)
  /// No format has that name.
  case format(String)
  /// Privacy is neither shown nor hidden.
  case privacy(String)

  /// Says what is wrong, and what could stand there.
  public var description: String {
    switch self {
    case .level(let text):
      """
      “\(text)” is no level: choose \(LogLevel.allCases.map(\.rawValue).joined(separator: ", ")) \
      or off
      """
    case .module(let text): "“\(text)” names no module: write Module=level, as Checkout=debug"
    case .format(let text):
      """
      “\(text)” is no log format: choose \
      \(LogFormat.Layout.allCases.map(\.rawValue).joined(separator: ", "))
      """
    case .privacy(let text): "“\(text)” is no privacy: choose show, or hide"
    }
  }
}

/// The levels of one log, which may change while others log.
struct LiveLogLevels: ~Copyable, Sendable {
  private let lowest: Atomic<UInt8>
  private let highest: Atomic<UInt8>
  private let current: Guarded<LogLevels>
  /// True for MultiLog: its children decide.
  private let asks: Bool

  init(_ levels: LogLevels, asks: Bool = false) {
    lowest = Atomic(levels.lowestRank)
    highest = Atomic(levels.highestRank)
    current = Guarded(levels)
    self.asks = asks
  }

  var levels: LogLevels { current.withLock { $0 } }

  /// Every rank below is accepted nowhere.
  var lowestRank: UInt8 { lowest.load(ordering: .relaxed) }

  /// Callers take turns (``LogGate``): another change must not come in between.
  func set(_ levels: LogLevels) {
    current.withLock { $0 = levels }
    lowest.store(levels.lowestRank, ordering: .relaxed)
    highest.store(levels.highestRank, ordering: .relaxed)
  }

  /// Whether the rank is accepted for every module, without asking further logs.
  @inline(__always)
  func acceptsAll(_ rank: UInt8) -> Bool {
    !asks && rank >= highest.load(ordering: .relaxed)
  }

  /// Only between the two bounds does the module decide.
  @inline(__always)
  func accepts(_ rank: UInt8, fileID: String) -> Bool {
    if rank < lowest.load(ordering: .relaxed) { return false }
    if rank >= highest.load(ordering: .relaxed) { return true }
    return current.withLock { rank >= $0.rank(fileID: fileID) }
  }
}
