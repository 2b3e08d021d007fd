import Foundation
import TestSupport

/// Runs the built program in a folder of its own, as a user would.
struct Demo {
  /// What came of a run.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// The folder that the program runs in; it goes with its owner.
  let folder = TemporaryFolder()

  /// Runs the program to its end, in strict mode.
  ///
  /// - Parameters:
  ///   - words: What follows the name of the program on the command line.
  ///   - environment: What is to be different there.
  ///   - output: Standard output, if it is not to be collected.
  func callAsFunction(
    _ words: String..., environment: [String: String] = [:], output: FileHandle? = nil
  ) async throws -> Outcome {
    try await run(words, environment, output)
  }

  /// Runs the program to its end, with standard error elsewhere if that is not to be collected.
  func callAsFunction(
    _ words: [String], environment: [String: String] = [:], errors: FileHandle? = nil
  ) async throws -> Outcome {
    try await run(words, environment, nil, errors: errors)
  }

  /// Runs the program to its end, with words that are separated by spaces.
  ///
  /// - Parameters:
  ///   - closing: The descriptors of which the program is to have none.
  ///   - withoutRights: Whether it runs as nobody, if this is root, who may do everything.
  func callAsFunction(
    line: String, output: FileHandle? = nil, closing closed: [Int] = [],
    withoutRights: Bool = false
  ) async throws -> Outcome {
    try await run(
      line.split(separator: " ").map(String.init), [:], output, closed,
      asNobody: withoutRights && geteuid() == 0)
  }

  /// Whether there is a way to run the program as somebody who may not do everything.
  static var canRunWithoutRights: Bool {
    geteuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv)
  }

  private static let setpriv = "/usr/bin/setpriv"

  private func run(
    _ words: [String], _ changes: [String: String],
    _ elsewhere: FileHandle?, _ closed: [Int] = [], asNobody: Bool = false,
    errors errorsElsewhere: FileHandle? = nil
  ) async throws -> Outcome {
    let program = try Products.program("ambient-demo").path
    var line = [program] + words
    if !closed.isEmpty {
      let script = "exec \"$0\" \"$@\" " + closed.map { "\($0)>&-" }.joined(separator: " ")
      line = ["/bin/sh", "-c", script] + line
    }
    if asNobody {
      line = [Self.setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"] + line
    }
    let usual: [String: String?] = ["NO_COLOR": nil, "COLUMNS": nil, "AMBIENT_STRICT": "1"]
    // Files, not pipes: nobody has to drain them while the program runs.
    let streams = TemporaryFolder()
    let output = try streams.makeFile("output")
    let errors = try streams.makeFile("errors")
    let process = try ChildProgram(
      line[0], Array(line.dropFirst()),
      environment: usual.merging(changes.mapValues(Optional.some)) { $1 }, in: folder.path,
      output: elsewhere ?? output, errors: errorsElsewhere ?? errors)
    let status = await process.end(.seconds(120))
    // On a busy machine, a service may stop after the program's deadline; the program reports that.
    let late = /^Ambient: .* did not stop within .*\n/.anchorsMatchLineEndings()
    return Outcome(
      status: status, output: try streams.text("output"),
      errors: try streams.text("errors").replacing(late, with: ""))
  }
}
