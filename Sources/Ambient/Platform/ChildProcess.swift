// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import CAmbient

/// Starts child processes, without a shell.
package enum ChildProcess {
  /// Runs a program, found in `PATH`, and waits for its end. Its standard streams are `/dev/null`.
  ///
  /// - Parameter kept: A file that stays open in the child, so that a lock on it outlives this
  ///   process.
  static func run(_ command: [String], keeping kept: FileDescriptor) throws(SystemError) {
    guard let program = command.first else { return }
    let child = try start(
      program, Array(command.dropFirst()),
      environment: ["PATH": path],
      files: [(kept.number, as: 3)])
    // A failure is ignored: `waitpid` fails if another part of this process waits for all children,
    // including this one.
    while waitpid(child, nil, 0) < 0, errno == EINTR {}
  }

  /// Starts a program with no signal blocked.
  ///
  /// The program is searched for in this process's `PATH`, unless `program` is a path. If this
  /// process has more rights than its caller, the system's folders are searched instead of `PATH`.
  ///
  /// The child's standard streams are `/dev/null` unless they are among `files`. The child inherits
  /// no other descriptors: a server's socket, opened elsewhere without O_CLOEXEC, would otherwise
  /// stay open until the child ends.
  ///
  /// - Parameters:
  ///   - folder: The child's working folder; nil for this process's.
  ///   - files: The files open in the child from the start: descriptor `number` of this process
  ///     becomes the child's descriptor `as`. No `number` may be the `as` of an earlier file. The
  ///     `as` numbers above two must be consecutive, from three on.
  /// - Returns: The child's process identifier, which the caller must wait for.
  package static func start(
    _ program: String, _ arguments: [String], environment: [String: String],
    in folder: String? = nil, files: [(number: CInt, as: CInt)]
  ) throws(SystemError) -> CInt {
    #if os(tvOS)
      // tvOS lets no program start another.
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
      // All dup2 actions precede the opening of /dev/null, because opening it as 0, 1 or 2 would
      // replace that descriptor, which may be one that a dup2 action copies.
      for file in files { posix_spawn_file_actions_adddup2(&actions, file.number, file.as) }
      for number: CInt in 0...2 where !files.contains(where: { $0.as == number }) {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
      if let folder { try check(ambient_spawn_in(&actions, folder)) }
      // The child starts with an empty signal mask. Otherwise, it would inherit the mask of this
      // thread, and the signals that this thread blocks, such as SIGTERM, would not reach it.
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
      try check(ambient_spawn_closes(&actions, &attributes, max(2, files.map(\.as).max() ?? 2) + 1))

      // The pointers are valid: `strdup` copies the texts for the call, and the copies are freed
      // after it.
      var words = ([program] + arguments).map { strdup($0) } + [nil]
      var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer { for text in words + settings { free(text) } }
      var child: pid_t = 0
      try check(posix_spawn(&child, find(program), &actions, &attributes, &words, &settings))
      return child
    #endif
  }

  private static var path: String { Environment.value("PATH") ?? "/usr/bin:/bin" }

  /// Finds the program's file in the folders of `path`, which ignores the variable `PATH` in a
  /// setuid program. `posix_spawnp` is not used, because it trusts `PATH` even in a setuid program,
  /// where the user who started the program has chosen the value of `PATH`.
  private static func find(_ program: String) -> String {
    if program.contains("/") { return program }
    let files = path.split(separator: ":").map { FileSystem.path(program, in: String($0)) }
    return files.first(where: isProgram) ?? "/usr/bin/\(program)"
  }

  /// Whether the path is a regular file that may be executed. The permission alone does not
  /// prove that, because folders can also have it.
  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  private static func check(_ failure: CInt) throws(SystemError) {
    guard failure == 0 else { throw SystemError(number: failure) }
  }

  /// On Linux, lowers the priority of this thread, and of the threads and processes that it starts
  /// later. Does nothing on other systems.
  static func yieldToOthers() { ambient_yield_to_others() }
}
