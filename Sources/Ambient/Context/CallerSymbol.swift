// SPDX-License-Identifier: Apache-2.0

#if os(Linux) && canImport(Runtime)
  internal import CAmbient
  internal import Runtime

  /// A caller that a report may name: a function of the program, outside this module.
  struct CallerSymbol: CustomStringConvertible {
    private let name: String
    private let place: String?

    /// The path of this package's folder, as the compiler recorded it in `#filePath`.
    private static let package = String(
      #filePath.dropLast("Sources/Ambient/Context/CallerSymbol.swift".count))
    /// A report names no function of these modules as a caller.
    private static let ownModules = ["Ambient", "AmbientVirtualTime", "AmbientTesting"]
    private static let ownSources = ownModules.map { "\(package)Sources/\($0)/" }
    private static let ownPrefixes = ownModules.map { "$s\($0.utf8.count)\($0)" }

    /// Whether the file belongs to one of these modules. In optimised programs, the path of a
    /// specialized function's file may be relative to the folder of its package.
    private static func isOwn(_ path: String) -> Bool {
      let path = path.hasPrefix("/") ? path : package + path
      return ownSources.contains { path.hasPrefix($0) }
    }

    var hasPlace: Bool { place != nil }

    /// Whether the function's name alone shows that it belongs to one of these modules.
    /// Another module's extension of our types also begins with our name, and a specialization may
    /// contain inlined code of the caller.
    static func isOwn(_ frame: SymbolicatedBacktrace.Frame) -> Bool {
      guard let raw = frame.symbol?.rawName, hasOwnPrefix(raw), let full = demangled(raw) else {
        return false
      }
      return !full.contains(extensionMark) && !full.contains("specialization")
    }

    /// Whether the mangled name begins with one of these modules: their functions' names do, and
    /// those of other modules' extensions of their types.
    private static func hasOwnPrefix(_ raw: String) -> Bool {
      ownPrefixes.contains(where: raw.hasPrefix)
    }

    /// Precedes the name of an extension's module in a demangled name.
    private static let extensionMark = "(extension in "

    /// The function's name as the runtime demangles it. Unlike `symbol.name`, it tells in which
    /// module an extension is.
    private static func demangled(_ raw: String) -> String? {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { output in
        var capacity = output.count
        // Valid: the runtime writes within the capacity and ends the text with a zero, before the
        // block ends.
        return swift_demangle(raw, raw.utf8.count, output.baseAddress, &capacity, 0)
          .map { String(cString: $0) }
      }
    }

    /// Fails for frames that a report must not name, such as those of this module, of the Swift
    /// runtime and of the system.
    init?(_ frame: SymbolicatedBacktrace.Frame) {
      guard let symbol = frame.symbol, !frame.isSwiftThunk, !frame.isSystem else { return nil }
      let raw = symbol.rawName
      // The name of the C library's `__libc_start_call_main` also ends with `_main`, like the name
      // of a module's main function.
      let isMain =
        raw == "main" || raw.hasPrefix("async_Main")
        || raw.hasSuffix("_main") && !raw.hasPrefix("__libc_")
      let hasPlace = symbol.sourceLocation.map { $0.line > 0 && !$0.path.contains("/stdlib/") }
      // A function with a source location outside the standard library belongs to the program, even
      // if it is in an extension of a standard type.
      let isFunction =
        raw.hasPrefix("$s") && (hasPlace == true || Self.isOfAModule(raw))
      guard isMain || isFunction else { return nil }
      if let location = symbol.sourceLocation, location.line > 0 {
        if Self.isOwn(location.path) { return nil }
        // The file of a macro's expansion does not exist. The file that uses the macro exists, and
        // the frame of the caller names it.
        if location.path.contains("@__swiftmacro_") { return nil }
        place = "\(location.path):\(location.line)"
      } else {
        // Without debug information, another module's extensions of our types look like this
        // module's code, so both are left out.
        if Self.hasOwnPrefix(raw) { return nil }
        place = nil
      }
      // A space in a raw identifier is mangled as a non-breaking space.
      name =
        isMain ? "main" : String(symbol.name.map { $0 == "\u{A0}" ? " " : $0 })
    }

    /// Whether the mangled name is that of a function in a module other than the standard library.
    ///
    /// After `$s`, such a name begins with a number, the length of the module's name. The names of
    /// the standard library's functions begin with a letter, and so do those of other modules'
    /// extensions of its types.
    private static func isOfAModule(_ raw: String) -> Bool {
      let first = raw.dropFirst(2).first
      guard first == "S" || first == "s" else { return first?.isNumber == true }
      guard let name = demangled(raw), let start = name.firstRange(of: extensionMark) else {
        return false
      }
      return !name[start.upperBound...].hasPrefix("Swift)")
    }

    var description: String { place.map { "\($0), in \(name)" } ?? name }
  }
#endif
