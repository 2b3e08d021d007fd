#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Programs of the system's that work for this process, without a shell.
enum ChildProcess {
  /// Runs a program, found in `PATH`, and waits for its end; it reads and says nothing.
  ///
  /// - Parameter kept: A file that stays open in the child, so that a lock on it outlives us.
  static func run(
    _ command: [String], keeping kept: FileDescriptor
  ) throws(SystemError) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // First of all, as the file may have one of the numbers that are replaced.
    posix_spawn_file_actions_adddup2(&actions, kept.number, 3)
    for number: CInt in 0...2 {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    // What others opened without O_CLOEXEC, a server's socket, would be held until the child ends.
    for number in ((try? FileSystem.names(in: "/dev/fd")) ?? []).compactMap({ CInt($0) })
    where number > 3 {
      posix_spawn_file_actions_addclose(&actions, number)
    }
    // Signals that this thread holds back are none of the child's.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    guard let program = command.first else { return }
    // Valid: the texts are copied for the call, and given back after it.
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = [
      strdup("PATH=\(Environment.value("PATH") ?? "/usr/bin:/bin")"), nil,
    ]
    defer { for text in words + settings { free(text) } }
    var child: pid_t = 0
    let number = posix_spawnp(&child, program, &actions, &attributes, &words, &settings)
    guard number == 0 else { throw SystemError(number: number) }
    // Not found any more if the program waits for all its children by itself.
    while waitpid(child, nil, 0) < 0, errno == EINTR {}
  }

  /// Lets this thread, and the children that it starts, give way to others, where that is known.
  static func yieldToOthers() {
    #if os(Linux) || os(Android)
      // For the calling thread alone: Linux has a priority for each.
      #if canImport(Glibc)
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
      #else
        _ = setpriority(CInt(PRIO_PROCESS), 0, 10)
      #endif
    #endif
  }
}
