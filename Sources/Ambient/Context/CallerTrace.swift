// SPDX-License-Identifier: Apache-2.0

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

      /// Nil if the names were not looked up.
      private var callers: [[UInt]: [String]]?

      /// Creates a table without names, so that lines show addresses.
      init() {}

      /// The calls of all addresses that were looked up, since most traces begin with the same
      /// calls of this module. The lock is held during a look-up, so that no other thread looks up
      /// the same calls meanwhile.
      private static let known = Guarded<[UInt: Call]>([:])

      /// Looks up the calls of each trace, the nearest first, until it has the callers to show.
      package init(of traces: [CallerTrace]) {
        callers = Self.known.withLock { known in
          var found: [[UInt]: [String]] = [:]
          lazy var images = LoadedImage.map(of: LoadedImage.all)
          for addresses in Set(traces.compactMap(\.addresses)) {
            var calls: [Call] = []
            var placed = 0
            for address in addresses where placed < Self.mostCallers {
              let call = known[address] ?? Self.call(from: address, images)
              known[address] = call
              calls.append(call)
              placed += call.callers.count(where: \.hasPlace)
            }
            found[addresses] = Self.callers(calls)
          }
          return found
        }
      }

      /// Looks up a call: its places only if the function is none of this module. A name takes
      /// microseconds, but a place costs a search of all line numbers.
      private static func call(from address: UInt, _ images: ImageMap?) -> Call {
        guard let images else { return Call(isKnown: false) }
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
      private static var noFrame: String { "unknown (a suspended task left no frame)" }

      /// The nearest two callers outside these modules that are known.
      package func nearest(_ trace: CallerTrace) -> [String] {
        let names = trace.addresses.flatMap { callers?[$0] } ?? []
        return names == [Self.noFrame] ? [] : names
      }

      package func line(_ label: String, _ trace: CallerTrace) -> String {
        let shown =
          trace.addresses.map { callers?[$0] ?? [command(for: $0)] }
          ?? ["unknown (its stack, such as a signal handler's, cannot be walked)"]
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
        guard let program = LoadedImage.all.first(where: \.isProgram)
        else { return "unknown (no symbols)" }
        // A return address points past the call, so the address before it is within the call.
        let calls = addresses.map { $0 &- 1 }.filter(program.addresses.contains)
          .map { "0x" + String($0 - program.base, radix: 16) }
        let list = calls.prefix(12).joined(separator: " ")
        let (reason, copy) =
          callers == nil
          ? ("the program ended before the names were looked up)", program.path)
          : ("\(program.path) has no symbols); with an unstripped COPY", "COPY")
        return "unknown (\(reason): llvm-symbolizer --obj=\(copy) \(list) | swift demangle"
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
