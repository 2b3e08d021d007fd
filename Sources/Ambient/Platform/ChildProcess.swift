internal import CAmbient

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

/// Other programs that work for this process, started without a shell.
package enum ChildProcess {
  /// Runs a program, found in `PATH`, and waits for its end; it reads and says nothing.
  ///
  /// - Parameter kept: A file that stays open in the child, so that a lock on it outlives us.
  static func run(_ command: [String], keeping kept: FileDescriptor) throws(SystemError) {
    guard let program = command.first else { return }
    let child = try start(
      program, Array(command.dropFirst()),
      environment: ["PATH": path],
      files: [(kept.number, as: 3)])
    // Not found any more if the program waits for all its children by itself.
    while waitpid(child, nil, 0) < 0, errno == EINTR {}
  }

  /// Starts a program, found in this process's `PATH` unless it is a path, with no signal blocked.
  /// In a program that has more rights than its caller, the system's folders stand for `PATH`.
  ///
  /// Its standard files are `/dev/null` unless they are among `files`. It has no other one of this
  /// process: what others opened without O_CLOEXEC, a server's socket, would be held until it ends.
  ///
  /// - Parameters:
  ///   - folder: Where it starts; nil for where this process is.
  ///   - files: What is open in it from the start, none of them at the number of one before it; the
  ///     numbers above two without a gap.
  /// - Returns: Its process identifier, which somebody has to wait for.
  package static func start(
    _ program: String, _ arguments: [String], environment: [String: String],
    in folder: String? = nil, files: [(number: CInt, as: CInt)]
  ) throws(SystemError) -> CInt {
    #if os(tvOS)
      // No program starts another there.
      throw SystemError(number: ENOTSUP)
    #else
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
      // First of all, as they may have numbers that are replaced.
      for file in files { posix_spawn_file_actions_adddup2(&actions, file.number, file.as) }
      for number: CInt in 0...2 where !files.contains(where: { $0.as == number }) {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
      if let folder { try check(ambient_spawn_in(&actions, folder)) }
      // Signals that this thread holds back are none of the child's.
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
      try check(ambient_spawn_closes(&actions, &attributes, max(2, files.map(\.as).max() ?? 2) + 1))

      // Valid: the texts are copied for the call, and given back after it.
      var words = ([program] + arguments).map { strdup($0) } + [nil]
      var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer { for text in words + settings { free(text) } }
      var child: pid_t = 0
      try check(posix_spawn(&child, find(program), &actions, &attributes, &words, &settings))
      return child
    #endif
  }

  private static var path: String { Environment.value("PATH") ?? "/usr/bin:/bin" }

  /// The program's file: by ourselves, since `posix_spawnp` would look where the caller of a setuid
  /// program says.
  private static func find(_ program: String) -> String {
    if program.contains("/") { return program }
    let files = path.split(separator: ":").map { "\($0)/\(program)" }
    return files.first(where: isProgram) ?? "/usr/bin/\(program)"
  }

  /// Whether the path is of a file that may be run; folders have that permission, too.
  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  private static func check(_ failure: CInt) throws(SystemError) {
    guard failure == 0 else { throw SystemError(number: failure) }
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
