// SPDX-License-Identifier: Apache-2.0

internal import Ambient
package import Foundation

/// A program that a test starts, kills and waits for. It inherits no open files of this process.
///
/// It replaces Foundation's `Process`, which has two faults. With more than some 1,300 open files,
/// as when tests run in parallel, it reads past the end of its list of open files. And it detects
/// the end of a program by a socket that every child started later inherits.
package final class ChildProgram: Sendable {
  package let number: Int32
  private let ending: Ending

  /// The program's status, and a group that a thread leaves when it has reaped the program. The
  /// thread reaps it at once, because the tests' runner, which waits for all children, polls
  /// without a pause as long as one that it does not know is a zombie.
  private final class Ending: Sendable {
    let status = Guarded<Int32?>(nil)
    let reaping = DispatchGroup()

    func reap(_ number: Int32) {
      var about = siginfo_t()
      while waitid(P_PID, id_t(number), &about, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      // Under the lock, so that no signal is sent to the number after it was given back.
      status.withLock { status in
        var result: Int32 = 0
        precondition(waitpid(number, &result, 0) == number, "\(number) was reaped by another")
        status = result
      }
      reaping.leave()
    }
  }

  /// Starts the program, with an empty standard input.
  ///
  /// - Parameters:
  ///   - changes: The environment variables that differ from those of this process; nil for one
  ///     that the program lacks.
  ///   - folder: The program's working directory; nil for that of this process.
  ///   - output: The file that gets the program's standard output; nil to discard it.
  ///   - errors: The file that gets the program's standard error; nil to discard it.
  package init(
    _ path: String, _ arguments: [String], environment changes: [String: String?] = [:],
    in folder: String? = nil, output: FileHandle? = nil, errors: FileHandle? = nil
  ) throws {
    let files: [(number: Int32, as: Int32)] = [(output, 1), (errors, 2)].compactMap {
      file, target in file.map { ($0.fileDescriptor, target) }
    }
    var environment = ProcessInfo.processInfo.environment
    for (name, value) in changes { environment[name] = value }
    let number = try ChildProcess.start(
      path, arguments, environment: environment, in: folder, files: files)
    let ending = Ending()
    ending.reaping.enter()
    Thread.detachNewThread { ending.reap(number) }
    self.number = number
    self.ending = ending
  }

  deinit { killed() }

  package func send(_ signal: Int32) {
    ending.status.withLock { if $0 == nil { kill(number, signal) } }
  }

  /// Kills the program, and waits until it has ended.
  package func killed() {
    send(SIGKILL)
    _ = waited()
  }

  /// Blocks this thread until the program has ended, so it is only for programs that end soon.
  /// Returns the same as ``end(_:)``.
  package func waited() -> Int32 {
    ending.reaping.wait()
    let status = ending.status.withLock { $0 ?? 0 }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }

  /// Waits until the program has ended; kills it if it does not end within the limit. Returns its
  /// exit status or, if a signal ended it, the negated number of the signal.
  package func end(_ limit: Duration = Patience.long) async -> Int32 {
    let hasEnded = await Patience.waitIdly(limit) { ending.status.withLock { $0 != nil } }
    if !hasEnded { killed() }
    return waited()
  }
}
