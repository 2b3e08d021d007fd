// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Checkout
import Foundation

extension Command {
  private static let folder = Option("DIR", help: "The folder that was passed to --queue.")

  private static let retryRefused = Option(
    "--retry-refused",
    help: """
      Move the refused events to the end of the queue, so that the next run with the same \
      destination sends them.
      """)

  static let queue = Command(
    name: "queue",
    summary: "Show which events wait for their servers, and why.",
    details: """
      With --queue, events for a server wait in a folder until the server has accepted them; the \
      next run with the same destination sends the rest. Refused events leave the queue, but are \
      kept in a separate file while it has room. If the queue is full, events are lost.
      """,
    examples: ["queue my-queue", "queue my-queue --json"],
    operand: folder.required,
    options: [CheckoutOptions.json, retryRefused],
    prepare: { arguments in
      let (folder, isJSON) = (arguments[folder] ?? "", arguments.has(CheckoutOptions.json))
      let isRetrying = arguments.has(retryRefused)
      return Run { output in
        // Refused events are retried before the list is made, so that the list shows the queues
        // after the retry.
        let moved = try isRetrying ? QueueList.retryRefused(in: folder) : ""
        if !isJSON { try output.write(moved) }
        try output.write(QueueList(folder: folder), asJSON: isJSON)
      }
    })
}

/// The queues in a folder.
struct QueueList: CommandResult {
  private let queues: [(name: String, summary: Result<QueueSummary, CollectorError>)]

  /// Reads the queue in the folder itself, if there is one, and the queues in its subfolders.
  init(folder: String) throws(QueueListError) {
    queues = try Self.places(in: folder).map { name, path in
      (name, Result { () throws(CollectorError) in try QueueSummary(folder: path) })
    }
  }

  /// Returns the name and the path of each queue. The folder itself may be a queue, and so may each
  /// of its subfolders.
  private static func places(
    in folder: String
  ) throws(QueueListError) -> [(name: String, path: String)] {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    if files.fileExists(atPath: folder, isDirectory: &isFolder), !isFolder.boolValue {
      throw QueueListError(folder: folder, reason: "it is a file")
    }
    let names: [String]
    do { names = try files.contentsOfDirectory(atPath: folder).sorted() } catch {
      throw QueueListError(folder: folder, reason: FoundationReason.ofFile(error))
    }
    let places = [(folder, folder)] + names.map { ($0, FileSystem.path($0, in: folder)) }
    let queues = places.filter { files.fileExists(atPath: FileSystem.path("queue", in: $0.1)) }
    if queues.isEmpty { throw QueueListError(folder: folder, reason: "it contains no queue") }
    return queues
  }

  /// Moves the refused events of all queues in the folder back to their queues.
  ///
  /// - Returns: A line for each queue that had refused events, or that could not be read.
  static func retryRefused(in folder: String) throws(QueueListError) -> String {
    try places(in: folder).map { name, path in
      do throws(CollectorError) {
        let (moved, left) = try EventQueue.retryRefused(in: path)
        if moved + left == 0 { return "" }
        let rest = left == 0 ? "" : "; left \(left), because the queue is full"
        return "\(name.printable): moved \(moved.with("refused event")) to the queue\(rest)\n"
      } catch {
        return "\(name.printable): refused events not moved: \("\(error)".printable)\n"
      }
    }.joined()
  }

  /// Returns the queues as a table.
  func text(style: Style) -> String {
    var table = Table([
      .init(heading: "destination"), .init(heading: "waiting", isNumber: true),
      .init(heading: "bytes", isNumber: true), .init(heading: "oldest (UTC)"),
      .init(heading: "refused", isNumber: true), .init(heading: "lost", isNumber: true),
      .init(heading: "why"),
    ])
    let destinations = queues.map { Self.destination($0.name, try? $0.summary.get()) }
    for ((name, queue), destination) in zip(queues, destinations) {
      switch queue {
      case .success(let summary):
        // Two destinations look the same if they differ only in parts that are hidden as secrets,
        // such as the query of an address. Such destinations are shown with the names of their
        // folders.
        let isUnlike = destinations.count { $0 == destination } == 1
        let shown = isUnlike ? destination : "\(destination) (\(name))"
        table.add(Self.cells(shown, summary, longest: style.textWidth))
      case .failure(let error):
        table.add([name.printable, "?", "?", "", "?", "?", "\(error)".printable])
      }
    }
    return table.lines(style: style).joined(separator: "\n") + "\n"
  }

  private struct Row: Encodable {
    let folder: String
    let destination: String?
    /// The number of waiting events; absent if another process uses the queue, or if the queue
    /// could not be read.
    let waiting: Int?
    let bytes: Int?
    let oldest: Date?
    let process: Int?
    let trouble: String?
    let refused: Int?
    let lost: [String: Int]
    /// The reason why the queue could not be read.
    let error: String?
  }

  /// Encodes an array with a member for each queue.
  func encode(to encoder: any Encoder) throws {
    let rows = queues.map { name, queue in
      let summary = try? queue.get()
      var error: String?
      if case .failure(let reason) = queue { error = "\(reason)" }
      return Row(
        folder: name, destination: summary?.destination, waiting: summary?.waiting?.count,
        bytes: summary?.waiting?.bytes, oldest: summary?.waiting?.oldest,
        process: summary?.process, trouble: summary?.trouble?.reason,
        refused: summary?.refused?.count, lost: summary?.lost ?? [:], error: error)
    }
    var container = encoder.singleValueContainer()
    try container.encode(rows)
  }

  /// Returns the destination's name as reports show it, but without the word `HTTPAnalytics`.
  /// Returns the queue's name, `name`, if the destination is unknown.
  private static func destination(_ name: String, _ queue: QueueSummary?) -> String {
    queue?.destination?.replacing("HTTPAnalytics ", with: "") ?? name
  }

  /// - Parameter longest: The maximum width of a reason, in cells of the terminal. A longer reason
  ///   is cut, because it may be a long message from a server.
  private static func cells(
    _ destination: String, _ queue: QueueSummary, longest: Int
  ) -> [String] {
    let waiting = queue.waiting
    var reasons: [String] = []
    if waiting == nil {
      reasons.append("in use by " + (queue.process.map { "process \($0)" } ?? "another process"))
    }
    if let trouble = queue.trouble, waiting?.count != 0 {
      reasons.append(trouble.reason.printable.cut(toCells: longest))
    }
    let lost = queue.lost.sorted { $0.key < $1.key }
    if !lost.isEmpty {
      reasons.append(
        "lost: "
          + lost.map { "\($0.key.printable.cut(toCells: longest)) (\($0.value))" }
          .joined(separator: ", "))
    }
    return [
      destination.printable, waiting.map { "\($0.count)" } ?? "?",
      waiting.map { "\($0.bytes)" } ?? "?",
      waiting?.oldest.map { String($0.iso8601().prefix(16)).replacing("T", with: " ") } ?? "",
      waiting == nil ? "?" : "\(queue.refused?.count ?? 0)",
      "\(lost.reduce(0) { $0 + $1.value })",
      reasons.joined(separator: "; "),
    ]
  }
}

/// The error that is thrown if the queues of a folder cannot be shown.
struct QueueListError: Error, Hashable, Sendable, CustomStringConvertible {
  let folder: String
  let reason: String

  var description: String {
    "cannot show queues in “\(folder)”: \(reason); pass the folder of --queue"
  }
}
