// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Runs a script with a small disk at `$DISK`, of 1,280 KiB by default.
package enum SmallDisk {
  package static let isPossible: Bool = {
    let words = ["-Urm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return (try? ChildProgram("/usr/bin/unshare", words))?.waited() == 0
  }()

  /// Runs the script in the folder; `$PROGRAM` is the path of the program of that name.
  package static func run(
    _ program: String, in folder: TemporaryFolder, size: String = "1280k", _ script: String
  ) async throws -> Command {
    try folder.makeFolder("disk")
    return try await Command.run([
      "unshare", "-Urm", "sh", "-ec",
      """
      cd "$1"; DISK=$2; PROGRAM=$3
      # A path may have spaces.
      IFS=
      mount -t tmpfs -o size=\(size) none $DISK
      \(script)
      """, "sh", folder.path, folder.path("disk"), try Products.program(program).path,
    ])
  }
}
