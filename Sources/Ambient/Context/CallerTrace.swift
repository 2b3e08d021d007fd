internal import CAmbient

#if os(Linux) && canImport(Runtime)
  internal import AmbientSystem
  internal import Runtime
#endif

/// A call and its callers, as return addresses. The names of the functions are looked up only when
/// a report prints them.
package struct CallerTrace: Sendable {
  /// The return addresses, the nearest first; `nil` if the call ran on another stack than the
  /// thread's own, or if the stack's bounds, or the layout of frames on this system, are unknown.
  private let addresses: [UInt]?

  private init(addresses: [UInt]?) { self.addresses = addresses }

  /// A trace of calls whose return addresses are known, the nearest first.
  package init(_ addresses: [UInt]) { self.init(addresses: addresses) }

  @inline(never)
  package static func capture() -> CallerTrace {
    // There is room for 128 frames, because the nearest frames belong to this module; in a debug
    // build, there may be dozens of these.
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: 128) { frames in
      // Valid: only the `count` written elements are read, before the block ends.
      let count = frames.baseAddress.map { ambient_frames($0, frames.count) } ?? -1
      return CallerTrace(addresses: count < 0 ? nil : Array(frames.prefix(count)))
    }
  }

  /// The nearest 32 return addresses, which are equal for calls from the same place.
  package var key: [UInt] { Array((addresses ?? []).prefix(32)) }

  /// A line of a report: the nearest caller outside this module, and the caller of that caller.
  ///
  /// With debug information, the line shows the file and the line number; without symbols, it shows
  /// addresses.
  package func line(_ label: String) -> String { Names(of: [self]).line(label, self) }

  #if os(Linux) && canImport(Runtime)
    /// The names of the calls of several traces, looked up together, because capturing the map of
    /// the program's images takes time.
    package struct Names {
      /// The result of looking up an address.
      private struct Call {
        var callers: [CallerSymbol] = []
        /// Whether the function is one of this module, or a frame of the call has a place.
        let isKnown: Bool
      }

      private var callers: [[UInt]: [String]] = [:]

      /// Creates a table without names, so that lines show addresses.
      init() {}

      /// The calls of all addresses that were looked up, since most traces begin with the same
      /// calls of this module.
      ///
      /// The lock serializes look-ups, too. Symbolication maps the program's files and unmaps them,
      /// and capturing the image map reads every mapped file: a capture on a second thread would
      /// read unmapped memory.
      private static let known = Guarded<[UInt: Call]>([:])

      /// Looks up the calls of each trace, the nearest first, until it has the callers to show.
      package init(of traces: [CallerTrace]) {
        Self.known.withLock { known in
          lazy var images = RingMapping.whileAllStay { ImageMap.capture() }
          for addresses in Set(traces.compactMap(\.addresses)) {
            var calls: [Call] = []
            var placed = 0
            for address in addresses where placed < Self.mostCallers {
              let call = known[address] ?? Self.call(from: address, images)
              known[address] = call
              calls.append(call)
              placed += call.callers.count(where: \.hasPlace)
            }
            callers[addresses] = Self.callers(calls)
          }
        }
      }

      /// Looks up a call: its places only if the function is none of this module. A name takes
      /// microseconds, but a place costs a search of all line numbers.
      private static func call(from address: UInt, _ images: ImageMap) -> Call {
        let trace = Backtrace.calling(address)
        let named = trace?.symbolicated(with: images, options: .useSymbolCache)?.frames ?? []
        if named.contains(where: CallerSymbol.isOwn) { return Call(isKnown: true) }
        let frames = trace?.symbolicated(with: images)?.frames ?? []
        return Call(
          callers: frames.compactMap(CallerSymbol.init),
          isKnown: frames.contains { ($0.symbol?.sourceLocation?.line ?? 0) > 0 })
      }

      /// The number of callers that a report shows.
      private static let mostCallers = 2
      private static var noFrame: String { "unknown (a suspended task has left no frame)" }

      /// The nearest two callers outside these modules that are known.
      package func nearest(_ trace: CallerTrace) -> [String] {
        let names = trace.addresses.flatMap { callers[$0] } ?? []
        return names == [Self.noFrame] ? [] : names
      }

      package func line(_ label: String, _ trace: CallerTrace) -> String {
        let shown =
          trace.addresses.map { callers[$0] ?? [command(for: $0)] }
          ?? ["unknown (its stack cannot be walked: a handler's of signals, a coroutine's)"]
        return "  \(label): \(shown.joined(separator: "\n    called from "))"
      }

      /// The two nearest callers, or a text that says why they are unknown; `nil` if the program
      /// has no symbols.
      private static func callers(_ calls: [Call]) -> [String]? {
        let callers = calls.flatMap(\.callers)
        let placed = callers.filter(\.hasPlace)
        let shown = (placed.isEmpty ? callers : placed).prefix(mostCallers).map(\.description)
        if !shown.isEmpty { return shown }
        return calls.contains(where: \.isKnown) ? [noFrame] : nil
      }

      /// A note that the calls are unknown, with the shell command that looks up the nearest calls
      /// in a copy of the program that has symbols.
      private func command(for addresses: [UInt]) -> String {
        let link = "/proc/self/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        else { return "unknown (no symbols)" }
        let program = ambient_program()
        // A return address points past the call, so the address before it is within the call.
        let calls = addresses.map { $0 &- 1 }.filter((program.start..<program.end).contains)
          .map { "0x" + String($0 - program.base, radix: 16) }
        let list = calls.prefix(12).joined(separator: " ")
        return """
          unknown (\(path) has no symbols); with a COPY that has them: \
          llvm-symbolizer --obj=COPY \(list) | swift demangle
          """
      }
    }
  #else
    package struct Names {
      init() {}

      package init(of traces: [CallerTrace]) {}

      package func nearest(_ trace: CallerTrace) -> [String] { [] }

      package func line(_ label: String, _ trace: CallerTrace) -> String {
        "  \(label): unknown (no backtraces on this platform)"
      }
    }
  #endif
}

#if os(Linux) && canImport(Runtime)
  extension Backtrace {
    /// Returns a backtrace of a single return address; `nil` if the format has changed.
    ///
    /// The backtrace is decoded from the encoded form, because that is the only public way to make
    /// one. The form is the byte 2 (for words of 64 bits), then the byte 0x27 (a return address in
    /// eight bytes) and the address.
    fileprivate static func calling(_ address: UInt) -> Backtrace? {
      let bytes: [UInt8] = [2, 0x27] + withUnsafeBytes(of: address.bigEndian) { Array($0) }
      #if arch(x86_64)
        let architecture = "x86_64"
      #else
        let architecture = "arm64"
      #endif
      let encoded = [
        "architecture": architecture, "backtrace": Data(bytes).base64EncodedString(),
      ]
      return try? JSONDecoder().decode(Self.self, from: JSONEncoder().encode(encoded))
    }
  }
#endif
