#if canImport(Runtime)
  internal import Runtime
#endif

/// Where a call came from; its names are looked up only when a report prints them.
struct CallSite: Sendable {
  #if canImport(Runtime)
    private let backtrace: Backtrace?

    /// Where the program's images lie, looked up once: `Backtrace` reads the memory of every file
    /// that is mapped, and keeps files mapped for each thread that used it. Another look would
    /// crash if such a thread ended meanwhile, as the main thread of an `async` main does.
    private static let images = ImageMap.capture()

    /// Costs some hundred microseconds: for what happens once.
    static func capture() -> CallSite {
      CallSite(
        backtrace: try? Backtrace.capture(
          algorithm: .fast, limit: 24, offset: 1, images: images))
    }

    /// A line of a report: the nearest caller outside this module, with file and line when the
    /// program has debug information.
    func line(_ label: String) -> String {
      let caller = backtrace?.symbolicated()?.frames.lazy.compactMap(\.symbol).first {
        ($0.rawName.hasPrefix("$s") && !$0.rawName.hasPrefix("$s7Ambient")) || $0.rawName == "main"
      }
      guard let caller else { return "  \(label): unknown (the program has no symbols)" }
      guard let place = caller.sourceLocation, place.line > 0 else {
        return "  \(label): \(caller.name)"
      }
      return "  \(label): \(place.path):\(place.line), in \(caller.name)"
    }
  #else
    static func capture() -> CallSite { CallSite() }

    func line(_ label: String) -> String { "  \(label): unknown (no backtraces on this platform)" }
  #endif
}
