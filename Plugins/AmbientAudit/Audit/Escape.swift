// SPDX-License-Identifier: Apache-2.0

/// A call that the audit reports, because the call escapes the ambient contexts, writes output that
/// should go through a log, or leaves or blocks a scope of virtual time.
struct Escape {
  /// The name of the call in reports and in `.ambient-audit`.
  let name: String
  /// The replacement that a report suggests.
  let instead: String
  /// The effect of the call.
  let kind: Kind
  /// The prefixes of the demangled symbols, in the form that `bare(_:)` returns. A C function is
  /// given by its whole name.
  let symbols: [String]
  /// The prefix of the symbol that makes the call harmless in a function that refers to both.
  let unless: String?

  /// The effect of a call.
  enum Kind {
    /// The call uses the system directly, so no ambient scope controls it.
    case escapes
    /// The call writes output that should go through a log. Only a log's own `write(_:)` may make
    /// such a call.
    case writes
    /// The call takes the code out of a scope of virtual time.
    case leaves
    /// The call blocks the thread, which a scope of virtual time needs.
    case blocks

    /// The verb for what the call does to a scope of virtual time; nil for a call that escapes the
    /// contexts or writes output.
    var deed: String? {
      switch self {
      case .escapes, .writes: nil
      case .leaves: "leaves"
      case .blocks: "blocks"
      }
    }
  }

  init(
    _ name: String, _ instead: String, _ kind: Kind = .escapes, unless: String? = nil,
    _ symbols: String...
  ) {
    self.name = name
    self.instead = instead
    self.kind = kind
    self.unless = unless
    self.symbols = symbols
  }

  /// The reported call to which a demangled symbol belongs; nil if the symbol is harmless.
  static func find(_ demangled: String) -> Escape? {
    // The property of a `Date` instance has the same name as the static property, but does not read
    // the clock.
    let isOfInstance =
      demangled.contains(".timeIntervalSinceReferenceDate.getter")
      && !demangled.contains("static ")
    if isOfInstance { return nil }
    let symbol = bare(demangled)
    if let escape = byFunction[symbol] { return escape }
    // A symbol without a dot is a C function. Such a symbol has to match as a whole, because one
    // name may be the prefix of another: `time` and `times`.
    return symbol.contains(".") ? bySymbol.first { symbol.hasPrefix($0.0) }?.1 : nil
  }

  /// The symbol in a form that is the same for all references to one call: without words such as
  /// `static` and `(extension in …):`, and with `Foundation` in place of the module of Foundation
  /// that declares it.
  static func bare(_ symbol: String) -> String {
    guard symbol.contains(".") else { return symbol }
    let symbol = symbol.replacing(#/\(extension in \w+\):/#, with: "")
      .replacing(
        #/Foundation(?:Essentials|Internationalization|Networking)\./#, with: "Foundation.")
    return String(
      symbol.trimmingPrefix("async function pointer to ").trimmingPrefix("property descriptor for ")
        .replacing("static ", with: "", maxReplacements: 1))
  }

  private static let byFunction = Dictionary(
    uniqueKeysWithValues: all.flatMap { escape in
      escape.symbols.filter { !$0.contains(".") }.map { ($0, escape) }
    })

  private static let bySymbol = all.flatMap { escape in
    escape.symbols.filter { $0.contains(".") }.map { ($0, escape) }
  }
}
