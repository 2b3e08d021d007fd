internal import Foundation

/// Runs a program and keeps what it wrote.
package struct Command {
  package let status: Int32
  package let output: String

  /// Runs the program, found in `PATH`, with standard error in its output.
  package static func run(_ arguments: String...) async throws -> Command {
    try await run(arguments)
  }

  /// Runs the program, found in `PATH`, with standard error in its output.
  package static func run(_ arguments: [String]) async throws -> Command {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    Patience.watch(process, Patience.long)
    let output = await withCheckedContinuation { continuation in
      // Read to its end on a thread of its own: a full pipe would stop the program.
      Thread {
        let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        continuation.resume(returning: String(decoding: data, as: UTF8.self))
      }.start()
    }
    return Command(status: process.terminationStatus, output: output)
  }
}
