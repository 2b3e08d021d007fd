#if canImport(Runtime)
  internal import FoundationEssentials
  internal import Runtime
#endif

/// Where a call came from; its names are looked up only when a report prints them.
struct CallSite: Sendable {
  #if canImport(Runtime)
    private let backtrace: Backtrace?

    /// An image map of no images (version 2, no platform, none), with which a capture only walks
    /// frames, in microseconds. With none given it reads the memory of every file that is mapped,
    /// which crashes if another thread unmaps one meanwhile.
    private static let noImages = try? JSONDecoder().decode(
      ImageMap.self, from: Data(#""AgAA""#.utf8))

    static func capture() -> CallSite {
      guard let noImages else { return CallSite(backtrace: nil) }
      return CallSite(
        backtrace: try? Backtrace.capture(
          algorithm: .fast, limit: 32, offset: 1, images: noImages))
    }

    /// A line of a report: the nearest caller outside this module and the caller of that one, with
    /// file and line when the program has debug information.
    func line(_ label: String) -> String {
      let frames = backtrace?.symbolicated(with: ImageMap.capture())?.frames ?? []
      let callers = frames.compactMap(CallSiteName.init)
      let placed = callers.filter(\.hasPlace)
      let shown = (placed.isEmpty ? callers : placed).prefix(2).map(\.description)
      guard !shown.isEmpty else { return "  \(label): unknown (no symbols)" }
      return "  \(label): \(shown.joined(separator: "\n    called from "))"
    }
  #else
    static func capture() -> CallSite { CallSite() }

    func line(_ label: String) -> String { "  \(label): unknown (no backtraces on this platform)" }
  #endif
}
