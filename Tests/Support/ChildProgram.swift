internal import Ambient
package import Foundation

/// A program that a test starts, kills and waits for. It has none of this process's open files.
///
/// Foundation's `Process` reads past the end of the list of open files where tests that run at once
/// have more than some 1,300, and notices an end by a socket that every later child inherits.
package final class ChildProgram: Sendable {
  package let number: Int32
  private let status = Guarded<Int32?>(nil)

  /// Starts the program, with nothing to read.
  ///
  /// - Parameters:
  ///   - environment: What its environment is; nil for this process's.
  ///   - folder: Where it starts; nil for where this process is.
  ///   - output: Where its output goes; nil for nowhere.
  ///   - errors: Where what it says of errors goes; nil for nowhere.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String]? = nil,
    in folder: String? = nil, output: FileHandle? = nil, errors: FileHandle? = nil
  ) throws {
    let files: [(number: Int32, as: Int32)] = [(output, 1), (errors, 2)].compactMap {
      file, target in file.map { ($0.fileDescriptor, target) }
    }
    number = try ChildProcess.start(
      path, arguments, environment: environment ?? ProcessInfo.processInfo.environment, in: folder,
      files: files)
  }

  deinit { killed() }

  package func send(_ signal: Int32) { status.withLock { if $0 == nil { kill(number, signal) } } }

  /// Kills it where it stands, and waits until it is gone.
  package func killed() {
    send(SIGKILL)
    _ = waited()
  }

  /// Waits on this thread until it has ended: for one that soon will. What ``end(_:)`` says.
  package func waited() -> Int32 {
    status.withLock { status in
      var result: Int32 = 0
      if status == nil {
        while waitpid(number, &result, 0) < 0, errno == EINTR {}
        status = result
      }
      return Self.code(of: status ?? 0)
    }
  }

  /// What it ended with, when it has, or the signal that ended it, below zero. One that does not
  /// end within the limit is killed.
  package func end(_ limit: Duration = Patience.long) async -> Int32 {
    let hasEnded = await Patience.waitIdly(limit) {
      status.withLock { status in
        var result: Int32 = 0
        if status == nil, waitpid(number, &result, WNOHANG) == number { status = result }
        return status != nil
      }
    }
    if !hasEnded { killed() }
    return waited()
  }

  private static func code(of status: Int32) -> Int32 {
    status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }
}
