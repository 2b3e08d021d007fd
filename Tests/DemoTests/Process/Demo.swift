// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Runs the built program in a folder of its own, as a user would.
struct Demo {
  /// The result of a run.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    /// Whether the run ended with a usage error, which names the value and the command's help.
    func isUsageError(of command: String?, about value: String = "") -> Bool {
      let named = ["ambient-demo", command].compactMap(\.self).joined(separator: " ")
      return status == 64 && output.isEmpty && errors.hasPrefix("ambient-demo: usage error: ")
        && errors.hasSuffix("\nSee \(named) --help.\n") && errors.contains(value)
    }

    /// Whether the run failed without a result, with one line of error that names the value.
    func isFailure(about value: String) -> Bool {
      status == 1 && output.isEmpty && errors.hasPrefix("ambient-demo: ")
        && errors.split(separator: "\n").count == 1 && errors.contains(value)
    }

    /// Decodes the output, which must be one line of JSON.
    func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
      guard output.count(where: { $0 == "\n" }) == 1 else { throw CocoaError(.coderInvalidValue) }
      return try JSONDecoder().decode(Value.self, from: Data(output.utf8))
    }
  }

  /// The folder that the program runs in; it goes with its owner.
  let folder = TemporaryFolder()

  /// Runs the program to its end, in strict mode, with words that are separated by spaces.
  func callAsFunction(
    line: String, environment: [String: String] = [:], output: FileHandle? = nil,
    errors: FileHandle? = nil, closing closed: [Int] = [], withoutRights: Bool = false
  ) async throws -> Outcome {
    try await self(
      line.split(separator: " ").map(String.init), environment: environment, output: output,
      errors: errors, closing: closed, withoutRights: withoutRights)
  }

  /// Runs the program to its end, in strict mode.
  ///
  /// - Parameters:
  ///   - words: The words after the name of the program on the command line.
  ///   - environment: The changes of the environment.
  ///   - output: Standard output, if it is not to be collected.
  ///   - errors: Standard error, if it is not to be collected.
  ///   - closed: The descriptors that are closed when the program starts.
  ///   - withoutRights: Whether the program runs as nobody if this process is root's.
  func callAsFunction(
    _ words: [String], environment: [String: String] = [:], output: FileHandle? = nil,
    errors: FileHandle? = nil, closing closed: [Int] = [], withoutRights: Bool = false
  ) async throws -> Outcome {
    var line = [try Products.program("ambient-demo").path] + words
    if !closed.isEmpty {
      let script = "exec \"$0\" \"$@\" " + closed.map { "\($0)>&-" }.joined(separator: " ")
      line = ["/bin/sh", "-c", script] + line
    }
    if withoutRights, geteuid() == 0 {
      line = [Self.setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"] + line
    }
    let usual: [String: String?] = ["NO_COLOR": nil, "COLUMNS": nil, "AMBIENT_STRICT": "1"]
    // Files, not pipes: nobody has to drain them while the program runs.
    let streams = TemporaryFolder()
    let files = (output: try streams.makeFile("output"), errors: try streams.makeFile("errors"))
    let process = try ChildProgram(
      line[0], Array(line.dropFirst()),
      environment: usual.merging(environment.mapValues(Optional.some)) { $1 }, in: folder.path,
      output: output ?? files.output, errors: errors ?? files.errors)
    let status = await process.end(.seconds(120))
    // On a busy machine, a service may stop after the program's deadline; the program reports that.
    let late = /^Ambient: .* did not stop within .*\n/.anchorsMatchLineEndings()
    return Outcome(
      status: status, output: try streams.text("output"),
      errors: try streams.text("errors").replacing(late, with: ""))
  }

  /// Whether there is a way to run the program as a user who may not do everything.
  static var canRunWithoutRights: Bool {
    geteuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv)
  }

  private static let setpriv = "/usr/bin/setpriv"
}
