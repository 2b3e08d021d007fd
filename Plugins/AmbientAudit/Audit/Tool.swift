// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// A program of the toolchain that the audit runs.
struct Tool {
  let name: String
  private let url: URL
  private let folder: URL

  /// Finds the program in the toolchain, or else in `PATH`.
  init(_ name: String, _ context: PluginContext) throws(AuditError) {
    self.name = name
    folder = context.pluginWorkDirectoryURL
    if let tool = try? context.tool(named: name) {
      url = tool.url
      return
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let found = path.split(separator: ":").lazy
      .map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { throw .noTool(name) }
    url = found
  }

  /// Runs the program with `input` as its standard input, and returns the lines of its standard
  /// output, including empty ones.
  func run(_ arguments: [String], input: String = "") throws(AuditError) -> [String] {
    do {
      // The program reads and writes files instead of pipes. Nothing here drains a pipe while the
      // program runs, and a full pipe would block it.
      let inputFile = folder.appending(path: "\(name).in")
      let outputFile = folder.appending(path: "\(name).out")
      try Data(input.utf8).write(to: inputFile)
      try Data().write(to: outputFile)
      let process = Process()
      process.executableURL = url
      process.arguments = arguments
      process.standardInput = try FileHandle(forReadingFrom: inputFile)
      process.standardOutput = try FileHandle(forWritingTo: outputFile)
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw AuditError.toolFailed(name, "exit status \(process.terminationStatus)")
      }
      // The output is split by bytes, not by characters. A line may end with a label that quotes a
      // string literal. A carriage return at the end of such a line would form one `Character` with
      // the newline.
      return try Data(contentsOf: outputFile)
        .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    } catch let error as AuditError {
      throw error
    } catch {
      throw .toolFailed(name, "\(error)")
    }
  }
}
