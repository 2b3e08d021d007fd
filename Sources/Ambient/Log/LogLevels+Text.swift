extension LogLevels {
  /// The levels that `text` says: a level, and levels of modules, as `info,Checkout=debug`.
  ///
  /// The names of levels are those of ``LogLevel``, `warn` and `off`, in any case; those of modules
  /// are as Swift has them. Of two parts that speak of the same, the later holds. Without a general level it is `info`.
  ///
  /// - Throws: ``LogSettingError`` for the first part that is wrong.
  public init(_ text: String) throws(LogSettingError) {
    let (levels, errors) = Self.read(text)
    if let error = errors.first { throw error }
    self = levels
  }

  /// The levels that `text` says, passing over the parts that are wrong.
  static func read(_ text: String) -> (LogLevels, [LogSettingError]) {
    var levels = LogLevels(.info)
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
      level = try Self.level(part)
      return
    }
    let module = Self.trimmed(part[..<sign])
    guard let first = module.first, !first.isNumber,
      module.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    else { throw .module(String(part)) }
    self[String(module)] = try Self.level(Self.trimmed(part[part.index(after: sign)...]))
  }

  private static func level(_ name: Substring) throws(LogSettingError) -> LogLevel? {
    switch name.lowercased() {
    case "off": return nil
    case "warn": return .warning
    case let lowercased:
      guard let level = LogLevel(rawValue: lowercased) else { throw .level(String(name)) }
      return level
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
