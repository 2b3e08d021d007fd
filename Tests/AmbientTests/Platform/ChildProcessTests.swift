// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Child processes` {
  private let folder = TemporaryFolder()

  /// What a shell says that runs the script, and has the file besides its standard ones.
  private func said(
    _ script: String, in place: String? = nil, environment: [String: String] = [:],
    keeping kept: (number: CInt, as: CInt)? = nil
  ) throws -> String {
    try folder.write("", to: "said")
    let output = try FileHandle(forWritingTo: folder.url.appending(path: "said"))
    let files = [kept, (number: output.fileDescriptor, as: 1)].compactMap(\.self)
    let child = try ChildProcess.start(
      "/bin/sh", ["-c", script], environment: environment, in: place, files: files)
    while waitpid(child, nil, 0) < 0, errno == EINTR {}
    return try folder.text("said")
  }

  @Test func `a child process inherits only the descriptors passed to it`() throws {
    try folder.write("kept\n", to: "kept")
    // Without O_CLOEXEC, far behind its own.
    let file = try FileHandle(forReadingFrom: folder.url.appending(path: "kept"))
    let open = fcntl(file.fileDescriptor, F_DUPFD, 900)
    defer { close(open) }
    let probe = "test -e /dev/fd/\(open) && echo held; cat <&3; test -e /dev/fd/4 && echo more"
    #expect(try said(probe, keeping: (open, as: 3)) == "kept\n")
  }

  @Test func `each function that opens a FileDescriptor sets the close-on-exec flag`() throws {
    let path = folder.path("file")
    var opened = [
      try FileDescriptor.appending(to: path),
      try FileDescriptor.appending(to: folder.path("appended"), permissions: 0o600),
      try FileDescriptor.new(folder.path("new")),
      try FileDescriptor.made(folder.path("made"), permissions: 0o600),
      try FileDescriptor.existing(path, toWrite: true),
      try FileDescriptor.existing(path, toWrite: false),
    ]
    // The first makes the lock's file, the second finds it.
    for _ in 1...2 { opened.append(try .lockFile(folder.path("lock"), mode: 0o600)) }
    defer { for file in opened { file.close() } }
    #expect(opened.map { fcntl($0.number, F_GETFD) } == opened.map { _ in FD_CLOEXEC })
  }

  #if os(Linux)
    @Test func `reopenedToWriteAtOnce() opens a pipe nonblocking and with the close-on-exec flag`()
      throws
    {
      let pipe = try SystemPipe()
      let own = try #require(pipe.writing.reopenedToWriteAtOnce())
      #expect(fcntl(own.number, F_GETFD) == FD_CLOEXEC)
      #expect(fcntl(own.number, F_GETFL) & O_NONBLOCK != 0)
      for end in [own, pipe.writing, pipe.reading] { end.close() }
    }
  #endif

  @Test func `a child process gets the given environment and folder, and an empty standard input`()
    throws
  {
    let place = URL(filePath: folder.path).resolvingSymlinksInPath().path
    let script = "pwd -P; echo $COLOUR$HOME; cat"
    #expect(try said(script, in: place, environment: ["COLOUR": "blue"]) == "\(place)\nblue\n")
  }

  @Test func `starting a child process by name skips folders and non-executable files in PATH`()
    async throws
  {
    for place in ["folder/tool", "plain", "program"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(place), withIntermediateDirectories: true)
    }
    for place in ["plain", "program"] {
      try folder.write("#!/bin/sh\nexit 7\n", to: "\(place)/tool")
    }
    try #require(chmod(folder.path("program/tool"), 0o755) == 0)
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      let places = ["gone", "folder", "plain", "program"].map { "\(folder)/\($0)" }
      setenv("PATH", places.joined(separator: ":"), 1)
      let child = try ChildProcess.start("tool", [], environment: [:], files: [])
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      precondition(status == 7 << 8, "\(status)")
    }
  }

  #if os(Linux)
    /// In a process of its own, whose files it changes.
    @Test(arguments: [3, 4] as [CInt])
    func `a child process doesn't inherit descriptors numbered above the passed ones`(first: CInt)
      async throws
    {
      await #expect(processExitsWith: .success) { [first = first as CInt] in
        let folder = TemporaryFolder()
        let kept = try FileDescriptor.new(folder.path("kept"))
        for number in [3, 4] as [CInt] where number != kept.number {
          if fcntl(number, F_GETFD) < 0 { dup2(kept.number, number) }
        }
        for number in [3, 4] as [CInt] { precondition(fcntl(number, F_SETFD, 0) == 0) }
        let copy = fcntl(kept.number, F_DUPFD_CLOEXEC, 100)
        var files: [(number: CInt, as: CInt)] = []
        if first == 4 { files.append((number: copy, as: 3)) }
        let child = try ChildProcess.start(
          "/bin/sh", ["-c", "test -e /dev/fd/\(first) && exit 7; exit 0"], environment: [:],
          files: files)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        precondition(status == 0, "\(status)")
      }
    }

    @Test func `a child process starts with no blocked signals even if its parent blocks some`()
      throws
    {
      var (signals, before) = (sigset_t(), sigset_t())
      sigemptyset(&signals)
      sigaddset(&signals, SIGUSR1)
      sigaddset(&signals, SIGTERM)
      try #require(pthread_sigmask(SIG_BLOCK, &signals, &before) == 0)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      let script = """
        while read name value; do test $name = SigBlk: && echo $value; done < /proc/self/status
        """
      #expect(try said(script) == "0000000000000000\n")
    }

    @Test func `ChildProcess yieldToOthers() lowers the calling thread's priority`() {
      let priorities = Guarded<[CInt]>([])
      Thread.detachNewThread {
        #if canImport(Glibc)
          let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        #else
          let thread = CInt(PRIO_PROCESS)
        #endif
        let before = getpriority(thread, 0)
        ChildProcess.yieldToOthers()
        let after = getpriority(thread, 0)
        priorities.withLock { $0 = [before, after] }
      }
      #expect(Patience.wait { priorities.withLock { $0.count } == 2 })
      let seen = priorities.withLock { $0 }
      #expect(seen.first ?? 0 < seen.last ?? 0 || seen.first ?? 0 >= 10, "\(seen)")
    }
  #endif

  @Test func `if no file descriptors are passed to a child process, its output is discarded`()
    async throws
  {
    let script = "echo said; echo said >&2; cat; echo > '\(folder.path("done"))'"
    let child = try ChildProcess.start("/bin/sh", ["-c", script], environment: [:], files: [])
    var status: Int32 = 1
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    #expect(status == 0)
    #expect(try folder.text("done") == "\n")
  }

  @Test func `starting a process in a missing folder throws ENOENT`() {
    #expect(throws: SystemError(number: ENOENT)) {
      try ChildProcess.start("/bin/sh", [], environment: [:], in: folder.path("none"), files: [])
    }
  }

  @Test func `starting a missing program throws ENOENT`() {
    #expect(throws: SystemError(number: ENOENT)) {
      try ChildProcess.start("no-such-program", [], environment: [:], files: [])
    }
  }
}
