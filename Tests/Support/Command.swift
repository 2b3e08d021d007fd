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
    // A file, not a pipe: nobody has to drain it while the program runs.
    let folder = TemporaryFolder()
    let file = try folder.makeFile("output")
    let program = try ChildProgram("/usr/bin/env", arguments, output: file, errors: file)
    let status = await program.end()
    let bytes = try Data(contentsOf: folder.url.appending(path: "output"))
    return Command(status: status, output: String(decoding: bytes, as: UTF8.self))
  }
}
