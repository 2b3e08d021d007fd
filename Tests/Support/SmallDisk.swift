internal import Foundation

/// Runs a script where `$DISK` is a disk of 1,280 KiB.
package enum SmallDisk {
  package static let isPossible: Bool = {
    let words = ["-Urm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return (try? ChildProgram("/usr/bin/unshare", words))?.waited() == 0
  }()

  /// Runs it in the folder, with the program of that name as `$PROGRAM`.
  package static func run(
    _ program: String, in folder: TemporaryFolder, _ script: String
  ) async throws -> Command {
    try folder.makeFolder("disk")
    return try await Command.run([
      "unshare", "-Urm", "sh", "-ec",
      """
      cd \(folder.path); DISK=\(folder.path("disk")); PROGRAM=\(try Products.program(program).path)
      mount -t tmpfs -o size=1280k none $DISK
      \(script)
      """,
    ])
  }
}
