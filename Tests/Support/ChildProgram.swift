internal import Ambient
internal import CSupport
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
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (target, file) in [(1 as Int32, output), (2, errors)] {
      if let file {
        posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, target)
      } else {
        posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
      }
    }
    if let folder { support_spawn_in(&actions, folder) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What threads of the pool have blocked.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    support_spawn_closes(&actions, &attributes)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var values = environment?.map { strdup("\($0.key)=\($0.value)") } ?? []
    values.append(nil)
    defer { for word in words + values { free(word) } }
    var number: pid_t = 0
    let failure =
      environment == nil
      ? posix_spawn(&number, path, &actions, &attributes, &words, environ)
      : posix_spawn(&number, path, &actions, &attributes, &words, &values)
    guard failure == 0 else { throw CocoaError(.executableLoad) }
    self.number = number
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
