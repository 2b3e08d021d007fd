// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

extension Command {
  private static let path = Option("PATH", help: "The file of the log, which need not exist.")
  private static let bufferFolder = Option(
    "--buffer-folder", .text("DIR"), default: "the folder of the file",
    help: "The folder of the log's buffers.")

  static let logRecover = Command(
    name: "log recover",
    summary: "Move the lines of a killed process to its log.",
    details: """
      A log keeps a line in a buffer file for at most a second before it writes the line to its \
      file. If the process is killed in between, this command, or the next program that opens the \
      log, moves the line there, but only once. Buffers of running processes are not touched.
      """,
    examples: ["log recover shop.log", "log recover shop.log --json"],
    operand: path.required,
    options: [bufferFolder, CheckoutOptions.json],
    prepare: { arguments in
      let recovery = LogRecovery(path: arguments[path] ?? "", folder: arguments[bufferFolder])
      let isJSON = arguments.has(CheckoutOptions.json)
      return Run { output in try output.write(recovery.make(), asJSON: isJSON) }
    })
}

/// A recovery of buffered lines into a log.
private struct LogRecovery: Sendable {
  let path: String
  /// The folder of the buffers; nil for the folder of the log's file.
  let folder: String?

  /// Moves the buffered lines to the log.
  func make() throws -> RecoveredLog {
    try check()
    return RecoveredLog(
      log: path, recoveredLines: try FileLog.recover(path: path, bufferFolder: folder))
  }

  /// Checks that `path` is not a folder, and that the folder of the buffers exists and can be read.
  /// `FileLog.recover` finds no buffers in a missing folder, so without this check, the command
  /// would say that nothing waits.
  private func check() throws(LogRecoveryError) {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw .folder(path)
    }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let beside = slash.map { String(path.utf8[...$0]) ?? path } ?? "."
    do { _ = try FileManager.default.contentsOfDirectory(atPath: folder ?? beside) } catch {
      throw .noBuffers(in: folder ?? beside, reason: FoundationReason.ofFile(error))
    }
  }
}

/// A log, and the number of lines that were moved to it.
private struct RecoveredLog: CommandResult {
  let log: String
  let recoveredLines: Int

  func text(style: Style) -> String {
    let text = "\(recoveredLines.with("line")) recovered to “\(log.printable)”"
    // The text is wrapped here, because a terminal would break the line within words.
    return (style.width.map { text.wrapped(to: $0) } ?? [text]).joined(separator: "\n") + "\n"
  }
}

/// The error that is thrown if the program cannot look for the buffered lines of a log.
enum LogRecoveryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the log is that of a folder.
  case folder(String)
  /// The folder of the buffers cannot be read.
  case noBuffers(in: String, reason: String)

  var description: String {
    switch self {
    case .folder(let path):
      "cannot recover the log “\(path)”: it is a folder; pass the path of the log's file"
    case .noBuffers(let folder, let reason):
      "cannot look for buffers in “\(folder)”: \(reason); pass their folder with --buffer-folder"
    }
  }
}
