import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `A program that is started` {
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

  @Test func `has no file of ours but those that it is given`() throws {
    try folder.write("kept\n", to: "kept")
    // Without O_CLOEXEC, far behind its own.
    let file = try FileHandle(forReadingFrom: folder.url.appending(path: "kept"))
    let open = fcntl(file.fileDescriptor, F_DUPFD, 900)
    defer { close(open) }
    let probe = "test -e /dev/fd/\(open) && echo held; cat <&3; test -e /dev/fd/4 && echo more"
    #expect(try said(probe, keeping: (open, as: 3)) == "kept\n")
  }

  @Test func `has no file that we opened, even if all others are left to it`() throws {
    let path = folder.path("file")
    var opened = [
      try FileDescriptor.appending(to: path),
      try FileDescriptor.appending(to: folder.path("appended"), permissions: 0o600, waits: false),
      try FileDescriptor.new(folder.path("new")),
      try FileDescriptor.made(folder.path("made"), permissions: 0o600),
      try FileDescriptor.existing(path, toWrite: true),
      try FileDescriptor.existing(path, toWrite: false),
    ]
    var status = stat()
    let isKnown = stat(path, &status) == 0
    try #require(isKnown)
    // The first makes the lock's file, the second finds it.
    for _ in 1...2 { opened.append(try .lockFile(folder.path("lock"), like: status)) }
    defer { for file in opened { file.close() } }
    #expect(opened.map { fcntl($0.number, F_GETFD) } == opened.map { _ in FD_CLOEXEC })
  }

  #if os(Linux)
    @Test func `does not keep a pipe open that we opened once more`() throws {
      let pipe = try SystemPipe()
      let own = try #require(pipe.writing.reopenedToWriteAtOnce())
      #expect(fcntl(own.number, F_GETFD) == FD_CLOEXEC)
      #expect(fcntl(own.number, F_GETFL) & O_NONBLOCK != 0)
      for end in [own, pipe.writing, pipe.reading] { end.close() }
    }
  #endif

  @Test func `has the environment and the folder that it is given, and nothing to read`() throws {
    let place = URL(filePath: folder.path).resolvingSymlinksInPath().path
    let script = "pwd -P; echo $COLOUR$HOME; cat"
    #expect(try said(script, in: place, environment: ["COLOUR": "blue"]) == "\(place)\nblue\n")
  }

  @Test func `is found behind folders and files of its name that cannot be run`() async throws {
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

  @Test func `that is not there is an error`() {
    #expect(throws: SystemError(number: ENOENT)) {
      try ChildProcess.start("no-such-program", [], environment: [:], files: [])
    }
  }
}
