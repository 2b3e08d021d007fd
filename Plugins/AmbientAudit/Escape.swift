/// A call whose outcome no scope of Ambient decides, so that a test cannot hold it.
struct Escape {
  /// What reports and the list of what is allowed call it.
  let name: String
  /// What to write in its place.
  let instead: String
  /// What becomes of a call.
  let kind: Kind
  /// How the demangled symbol begins, without what does not tell one call from another; a C
  /// function's whole name.
  let symbols: [String]

  /// What becomes of a call.
  enum Kind {
    /// No scope decides about it.
    case escapes
    /// It writes where a log should: right in a log's own `write(_:)`.
    case writes
    /// It takes the code out of a scope of virtual time.
    case leaves
    /// It keeps the thread, which a scope of virtual time needs.
    case blocks

    /// What a place of the group of its own does to a scope of virtual time; `nil` for calls.
    var deed: String? {
      switch self {
      case .escapes, .writes: nil
      case .leaves: "leaves"
      case .blocks: "blocks"
      }
    }
  }

  init(_ name: String, _ instead: String, _ kind: Kind = .escapes, _ symbols: String...) {
    self.name = name
    self.instead = instead
    self.kind = kind
    self.symbols = symbols
  }

  /// The escape that a demangled symbol stands for, if it is one.
  static func find(_ demangled: String) -> Escape? {
    // Its date's property has the same name, and is harmless.
    let isOfInstance =
      demangled.contains(".timeIntervalSinceReferenceDate.getter")
      && !demangled.contains("static ")
    if isOfInstance { return nil }
    let symbol = bare(demangled)
    if let escape = byFunction[symbol] { return escape }
    // What is without a dot is a C function, which a prefix would confuse with others.
    return symbol.contains(".") ? bySymbol.first { symbol.hasPrefix($0.0) }?.1 : nil
  }

  /// The symbol without what does not tell one call from another: how it is reached, and which of
  /// Foundation's modules declares it.
  private static func bare(_ symbol: String) -> String {
    var symbol = symbol
    for word in [
      "async function pointer to ", "property descriptor for ", "static ", "(extension in Swift):",
      "(extension in Foundation):", "(extension in Dispatch):",
    ] {
      if symbol.hasPrefix(word) { symbol.removeFirst(word.count) }
    }
    for module in [
      "FoundationEssentials.", "FoundationInternationalization.", "FoundationNetworking.",
    ] {
      if symbol.hasPrefix(module) {
        symbol = "Foundation." + symbol.dropFirst(module.count)
      }
    }
    return symbol
  }

  private static let byFunction = Dictionary(
    uniqueKeysWithValues: all.flatMap { escape in
      escape.symbols.filter { !$0.contains(".") }.map { ($0, escape) }
    })

  private static let bySymbol = all.flatMap { escape in
    escape.symbols.filter { $0.contains(".") }.map { ($0, escape) }
  }
}
