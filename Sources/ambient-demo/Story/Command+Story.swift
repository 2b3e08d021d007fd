import Ambient
import Checkout
import Foundation

extension Command {
  private static let output = Option(
    "--output", .text("DIR"),
    help: """
      The folder for the log and the events, which are written anew. If not said: .build/ambient-demo \
      where there is a .build folder, as in a clone of this package; else a new temporary folder.
      """)

  private static let advice = """

    Now buy something yourself, at any instant:
      swift run ambient-demo checkout --item coffee:2 --item mug \\
        --coupon WELCOME10 --at 2026-11-27T00:00:00-05:00

    """

  static let story = Command(
    name: "story",
    summary: "Tell what time does to a basket.",
    details: """
      One basket is priced at frozen instants: around the start and the end of a promotion, with a \
      price that is locked for a while, and in the night when the clocks go back. The story is the \
      same every time.
      """,
    options: [output],
    prepare: { arguments in
      let story = Story(shop: try Shop.example())
      let files = try StoryFiles(in: arguments[output])
      let services = Services(
        time: DefaultTime(), log: try FileLog(path: files.log),
        analytics: try FileAnalytics(path: files.events))
      return Run(services: services) { output in
        try await output.write(story.text(style: output.style))
        Log.instance.flush()
        Analytics.instance.flush()
        try output.write(files.summary + advice)
      }
    })
}

/// The two files that the story leaves behind: what was logged, and what was tracked.
struct StoryFiles: Sendable {
  let folder: String
  var log: String { folder + "/ambient-demo.log" }
  var events: String { folder + "/ambient-demo-events.jsonl" }

  /// Makes the folder, and removes what an earlier story left there.
  ///
  /// - Parameter folder: Without it, a folder in the package's build folder if the program runs in
  ///   a clone of the package (so a path that is the same everywhere, and ignored by git), else a
  ///   new temporary one.
  init(in folder: String?) throws(StoryFilesError) {
    let files = FileManager.default
    self.folder =
      folder
      ?? (files.isWritableFile(atPath: ".build")
        ? ".build/ambient-demo"
        : files.temporaryDirectory.path + "/ambient-demo-\(UUID().uuidString.prefix(8))")
    do {
      try files.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
      for file in [log, events] where files.fileExists(atPath: file) {
        try files.removeItem(atPath: file)
      }
    } catch {
      throw StoryFilesError(folder: self.folder, reason: FoundationReason.ofFile(error))
    }
  }

  /// What was written, and where.
  var summary: String {
    """
    Written on the way:
      \(log.printable)           \(Self.lineCount(of: log)) lines of what happened
      \(events.printable)  \(Self.lineCount(of: events)) events of what the buyer did

    """
  }

  private static func lineCount(of path: String) -> Int {
    (FileManager.default.contents(atPath: path) ?? Data()).count { $0 == UInt8(ascii: "\n") }
  }
}

/// A folder that cannot take the story's files.
struct StoryFilesError: Error, Hashable, Sendable, CustomStringConvertible {
  let folder: String
  let reason: String

  var description: String {
    "cannot write the story's files to \(folder): \(reason); choose a folder with --output DIR"
  }
}
