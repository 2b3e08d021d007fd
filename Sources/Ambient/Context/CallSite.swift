#if canImport(Runtime)
  internal import FoundationEssentials
  internal import Runtime
#endif

/// Where a call came from; its names are looked up only when a report prints them.
package struct CallSite: Sendable {
  #if canImport(Runtime)
    private let backtrace: Backtrace?

    /// An image map of no images (version 2, no platform, none), with which a capture only walks
    /// frames, in microseconds. With none given it reads the memory of every file that is mapped,
    /// which crashes if another thread unmaps one meanwhile.
    private static let noImages = try? JSONDecoder().decode(
      ImageMap.self, from: Data(#""AgAA""#.utf8))

    /// All files that are mapped, which are read.
    private static func images() -> ImageMap { FileMapping.whileAllStay { ImageMap.capture() } }

    package static func capture() -> CallSite {
      guard let noImages else { return CallSite(backtrace: nil) }
      return CallSite(
        backtrace: try? Backtrace.capture(
          algorithm: .fast, limit: 32, offset: 1, images: noImages))
    }

    /// The nearest return addresses, the same for calls from the same place.
    package var key: [String] {
      backtrace.map { $0.frames.prefix(12).map { "\($0.adjustedProgramCounter)" } } ?? []
    }

    /// A line of a report: the nearest caller outside this module and the caller of that one, with
    /// file and line when the program has debug information; a program without symbols shows
    /// addresses.
    package func line(_ label: String) -> String {
      let frames = backtrace?.symbolicated(with: Self.images())?.frames ?? []
      let callers = frames.compactMap(CallSiteName.init)
      let placed = callers.filter(\.hasPlace)
      let shown = (placed.isEmpty ? callers : placed).prefix(2).map(\.description)
      guard !shown.isEmpty else {
        let isKnown = frames.contains { ($0.symbol?.sourceLocation?.line ?? 0) > 0 }
        return "  \(label): \(isKnown ? "unknown (a suspended task has left no frame)" : addresses)"
      }
      return "  \(label): \(shown.joined(separator: "\n    called from "))"
    }

    /// The nearest calls within the program's own file, as a tool that looks up symbols takes them.
    private var addresses: String {
      let files = FileManager.default
      guard let backtrace,
        let program = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
        let image = Self.images().first(where: { $0.path == program }),
        let base = UInt64(image.baseAddress)
      else { return "unknown (no symbols)" }
      let calls = backtrace.frames.map(\.adjustedProgramCounter)
        .filter { image.baseAddress <= $0 && $0 < image.endOfText }
        .compactMap { UInt64($0).map { "0x" + String($0 - base, radix: 16) } }
      let list = calls.prefix(12).joined(separator: " ")
      return """
        unknown (\(program) has no symbols); with a COPY that has them: \
        llvm-symbolizer --obj=COPY \(list) | swift demangle
        """
    }
  #else
    package static func capture() -> CallSite { CallSite() }

    package var key: [String] { [] }

    package func line(_ label: String) -> String {
      "  \(label): unknown (no backtraces on this platform)"
    }
  #endif
}
