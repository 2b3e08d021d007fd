import Foundation
import TestSupport

/// A program that a test starts, kills and waits for.
///
/// Foundation's `Process` notices an end by a socket that every later child inherits, and so not
/// before those have ended, too.
final class ChildProgram {
  private let process: pid_t
  private var status: Int32?

  /// Starts the program, with nothing to read and its output nowhere.
  init(_ path: String, _ arguments: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for number in 1...2 {
      posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What threads of the pool have blocked.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var number: pid_t = 0
    guard posix_spawn(&number, path, &actions, &attributes, &words, environ) == 0 else {
      throw CocoaError(.executableLoad)
    }
    process = number
  }

  deinit { if status == nil { killed() } }

  /// Kills it where it stands, and waits until it is gone.
  func killed() {
    guard status == nil else { return }
    kill(process, SIGKILL)
    var result: Int32 = 0
    while waitpid(process, &result, 0) < 0, errno == EINTR {}
    status = result
  }

  /// What it ended with, when it has; nil if it was killed, or did not end within the limit.
  func end() async -> Int32? {
    _ = await Patience.wait(Patience.long) { () async in
      try? await Task.sleep(for: .milliseconds(5))
      var result: Int32 = 0
      if self.status == nil, waitpid(self.process, &result, WNOHANG) == self.process {
        self.status = result
      }
      return self.status != nil
    }
    guard let status, status & 0x7F == 0 else { return nil }
    return status >> 8
  }
}
