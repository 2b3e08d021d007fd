#if os(Linux) && canImport(Runtime)
  internal import Runtime

  /// A caller that a report may name: somebody's function, outside this module.
  struct CallSiteName: CustomStringConvertible {
    private let name: String
    private let place: String?

    /// The sources of this module and of AmbientTesting, as the compiler saw them.
    private static let ownSources = ["Ambient/", "AmbientTesting/"].map {
      #filePath.dropLast("Ambient/Context/CallSiteName.swift".count) + $0
    }

    var hasPlace: Bool { place != nil }

    /// A caller, if the frame is one: not of this module, the language's own or the system's.
    init?(_ frame: SymbolicatedBacktrace.Frame) {
      guard let symbol = frame.symbol, !frame.isSwiftThunk, !frame.isSystem else { return nil }
      let raw = symbol.rawName
      // The C library's own end in the same way as a module's: `__libc_start_call_main`.
      let isMain =
        raw == "main" || raw.hasPrefix("async_Main")
        || raw.hasSuffix("_main") && !raw.hasPrefix("__libc_")
      let hasPlace = symbol.sourceLocation.map { $0.line > 0 && !$0.path.contains("/stdlib/") }
      // What has a place is somebody's, an extension of a type of the language, too.
      let isFunction =
        raw.hasPrefix("$s") && (hasPlace == true || Self.isOfAModule(raw.dropFirst(2)))
      guard isMain || isFunction else { return nil }
      if let location = symbol.sourceLocation, location.line > 0 {
        if Self.ownSources.contains(where: location.path.hasPrefix) { return nil }
        // The expansion of a macro is a file that nobody has; its caller is in one that somebody
        // has.
        if location.path.contains("@__swiftmacro_") { return nil }
        place = "\(location.path):\(location.line)"
      } else {
        // An extension of our types in another module looks the same without debug information.
        if raw.hasPrefix("$s7Ambient") { return nil }
        place = nil
      }
      // A space in a name is mangled as one that does not break.
      name =
        isMain ? "main" : String(symbol.name.map { $0 == "\u{A0}" ? " " : $0 })
    }

    /// Whether what follows `$s` in a mangled name is of a module that has a name: a number is the
    /// length of one. Letters are the standard library's, unless a number follows the letters of a
    /// standard type: an extension of that type.
    private static func isOfAModule(_ name: Substring) -> Bool {
      let type = name.first == "S" ? name.dropFirst(2) : name
      return type.first?.isNumber == true
    }

    var description: String { place.map { "\($0), in \(name)" } ?? name }
  }
#endif
