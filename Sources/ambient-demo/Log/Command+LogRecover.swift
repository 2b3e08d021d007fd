import Ambient
import Checkout
import Foundation

extension Command {
  private static let path = Option("PATH", help: "The file of the log, which need not be there.")
  private static let bufferFolder = Option(
    "--buffer-folder", .text("DIR"),
    help: "The folder of the log's buffers, if the log was told one; beside the file if not said.")

  static let logRecover = Command(
    name: "log recover",
    summary: "Bring to a log what a dead process left in a buffer.",
    details: """
      A line stands in a buffer, which is a file, for a second at most. If the process is killed \
      meanwhile, the log has those lines when it is opened the next time, or after this command: \
      each once. Buffers of processes that live are left alone.
      """,
    examples: ["log recover shop.log", "log recover shop.log --json"],
    operand: path.required,
    options: [bufferFolder, CheckoutOptions.json],
    prepare: { arguments in
      let recovery = LogRecovery(path: arguments[path] ?? "", folder: arguments[bufferFolder])
      let isJSON = arguments.has(CheckoutOptions.json)
      let services = Services(time: DefaultTime(), log: NoLog(), analytics: NoAnalytics())
      return Run(services: services) { output in
        try output.write(isJSON ? recovery.json() : recovery.make(output.style))
      }
    })
}

/// A recovery of buffered lines into a log.
struct LogRecovery: Sendable {
  let path: String
  /// The folder of the buffers; nil for the folder of the log's file.
  let folder: String?

  /// Moves the buffered lines to the log.
  ///
  /// - Returns: The number of lines, as a sentence.
  func make(_ style: Style) throws -> String {
    let lines = try lines()
    let name = "“\(path.printable)”"
    let text =
      switch lines {
      case 0: "nothing waits for \(name)"
      case 1: "1 line was brought to \(name)"
      default: "\(lines) lines were brought to \(name)"
      }
    // The text is wrapped here, because a terminal would break the line within words.
    return (style.width.map { text.wrapped(to: $0) } ?? [text]).joined(separator: "\n") + "\n"
  }

  /// Moves the buffered lines to the log, and returns their number as one line of JSON.
  func json() throws -> String { try JSONLine.of(Fields(log: path, recoveredLines: lines())) }

  private struct Fields: Encodable {
    let log: String
    let recoveredLines: Int
  }

  private func lines() throws -> Int {
    try check()
    return try FileLog.recover(path: path, bufferFolder: folder)
  }

  /// Checks that `path` is not a folder, and that the folder of the buffers exists and can be read.
  /// `FileLog.recover` finds no buffers in a missing folder, so without this check, the command
  /// would say that nothing waits.
  private func check() throws(LogRecoveryError) {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw .isFolder(path: path)
    }
    let beside = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    do { _ = try FileManager.default.contentsOfDirectory(atPath: folder ?? beside) } catch {
      throw .unreadable(folder: folder ?? beside, reason: FoundationReason.ofFile(error))
    }
  }
}

/// The error that is thrown if the program cannot look for the buffered lines of a log.
enum LogRecoveryError: Error, Hashable, Sendable {
  case isFolder(path: String)
  case unreadable(folder: String, reason: String)
}

extension LogRecoveryError: CustomStringConvertible {
  var description: String {
    switch self {
    case .isFolder(let path):
      "“\(path)” is a folder; give the file of the log"
    case .unreadable(let folder, let reason):
      """
      cannot look for buffers in “\(folder)”: \(reason); give the path of the log as its writer does
      """
    }
  }
}
