import Ambient
import Checkout
import Foundation

extension Command {
  private static let output = Option(
    "--output", .text("DIR"),
    help: """
      The folder for the log and the events, which are written anew. If not said: .build/ambient-demo \
      where there is a .build folder, as in a clone of this package; else a temporary folder, which \
      goes with the story.
      """)

  private static let advice = """

    Now buy something yourself, at any instant:
      swift run ambient-demo checkout --item coffee:2 \\
        --item mug --coupon WELCOME10 \\
        --at 2026-11-27T00:00:00-05:00

    """

  static let time = Command(
    name: "time",
    summary: "Tell what time does to a basket.",
    details: """
      One basket is priced at frozen instants: around the start and the end of a promotion, with a \
      price that is locked for a while, and in the night when the clocks go back. The story is the \
      same every time.
      """,
    options: [output, CheckoutOptions.json],
    prepare: { arguments in
      let story = TimeStory(shop: try Shop.example())
      let files = try StoryFiles(in: arguments[output])
      let isJSON = arguments.has(CheckoutOptions.json)
      let services = Services(
        time: DefaultTime(), log: try FileLog(path: files.log),
        analytics: try FileAnalytics(path: files.events))
      return Run(services: services) { output in
        defer { files.tidyUp() }
        let told = try await story.tell()
        Log.instance.flush()
        Analytics.instance.flush()
        let text =
          isJSON
          ? try JSONLine.of(told) : told.text(style: output.style) + files.summary + advice
        try output.write(text)
      }
    })
}

/// The two files that the story writes: its log and its events.
struct StoryFiles: Sendable {
  private static let names = (log: "ambient-demo.log", events: "ambient-demo-events.jsonl")

  let folder: String
  private let isTemporary: Bool
  var log: String { FileSystem.path(Self.names.log, in: folder) }
  var events: String { FileSystem.path(Self.names.events, in: folder) }

  /// Makes the folder, and removes the files of an earlier story.
  ///
  /// - Parameter folder: The folder, or nil for a default. In a clone of the package, the default
  ///   is `.build/ambient-demo`: this path is the same in each run, and git ignores `.build`.
  ///   Elsewhere, the default is a temporary folder, which ``tidyUp()`` removes.
  init(in folder: String?) throws(StoryFilesError) {
    let files = FileManager.default
    isTemporary = folder == nil && !files.isWritableFile(atPath: ".build")
    self.folder =
      folder
      ?? (isTemporary
        ? FileSystem.path(
          "ambient-demo-\(UUID().uuidString.prefix(8))", in: files.temporaryDirectory.path)
        : ".build/ambient-demo")
    do {
      try files.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
      // Recovers lines that a killed run left in buffers, so that the lines are removed with the
      // files.
      _ = try? FileLog.recover(path: log)
      _ = try? FileAnalytics.recover(path: events)
      for file in [log, events] where files.fileExists(atPath: file) {
        try files.removeItem(atPath: file)
      }
    } catch {
      throw StoryFilesError(folder: self.folder, reason: FoundationReason.ofFile(error))
    }
  }

  /// A summary that tells how many lines and events were written, and, unless the folder is
  /// temporary, to which files.
  var summary: String {
    let (lines, events) = (Self.lineCount(of: log), Self.lineCount(of: events))
    if isTemporary {
      return """
        On the way \(lines) lines were logged and \(events) events tracked.
        Keep them with --output DIR.

        """
    }
    return """
      Written on the way, to \(folder.printable):
        \(Self.names.log)           \(lines) lines of what happened
        \(Self.names.events)  \(events) events of what the buyer did

      """
  }

  /// Removes the folder if it is temporary.
  func tidyUp() {
    // Errors are ignored, because the system cleans temporary folders.
    if isTemporary { try? FileManager.default.removeItem(atPath: folder) }
  }

  private static func lineCount(of path: String) -> Int {
    (FileManager.default.contents(atPath: path) ?? Data()).count { $0 == UInt8(ascii: "\n") }
  }
}

/// The error that the story's files cannot be written to a folder.
struct StoryFilesError: Error, Hashable, Sendable, CustomStringConvertible {
  let folder: String
  let reason: String

  var description: String {
    "cannot write the story's files to \(folder): \(reason); choose a folder with --output DIR"
  }
}
