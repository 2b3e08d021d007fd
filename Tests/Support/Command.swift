// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The exit status and the output of a program that has run.
package struct Command {
  package let status: Int32
  package let output: String

  /// Runs the program, found in `PATH`. Its output includes its standard error.
  package static func run(_ arguments: String...) async throws -> Command {
    try await run(arguments)
  }

  /// Runs the program, found in `PATH`. Its output includes its standard error.
  package static func run(_ arguments: [String]) async throws -> Command {
    // A file and not a pipe, which would have to be drained while the program runs.
    let folder = TemporaryFolder()
    let file = try folder.makeFile("output")
    let program = try ChildProgram("/usr/bin/env", arguments, output: file, errors: file)
    let status = await program.end()
    let bytes = try Data(contentsOf: folder.url.appending(path: "output"))
    return Command(status: status, output: String(decoding: bytes, as: UTF8.self))
  }
}
