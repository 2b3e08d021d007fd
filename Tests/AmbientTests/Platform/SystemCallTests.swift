// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite(
    .withoutSanitizer,
    .enabled(if: SystemCalls.canBeSeen, "strace is missing, or may not trace"))
  struct `System calls of a program` {
    private let folder = TemporaryFolder()

    /// The calls of those names that the test's program makes when it is told to do that.
    private func calls(_ names: String, _ words: String...) async throws -> [String] {
      try await SystemCalls.of(names, "LineWriter", words, in: folder)
    }

    @Test func `a program that uses only Time starts no thread and writes no file`() async throws {
      let calls = try await calls(
        "open,openat,openat2,creat,mkdir,mkdirat,clone,clone3,fork,vfork", "time")
      // Libraries, at least.
      #expect(!calls.isEmpty)
      let written = calls.filter { $0.contains("O_WRONLY") || $0.contains("O_RDWR") }
      #expect(written.isEmpty && !calls.contains { $0.contains(folder.path) }, "\(calls)")
      #expect(!calls.contains { !$0.contains(" open") }, "\(calls)")
      // A log does, of which some lines wait in a buffer.
      let logging = try await self.calls(
        "openat,clone,clone3", folder.path("a.log"), folder.path("progress"), "a", "1", "39", "exit"
      )
      #expect(logging.contains { $0.contains(" clone") && !$0.contains("ENOSYS") })
      #expect(logging.contains { $0.contains(folder.path("a.log")) })
    }

    @Test
    func `a replacement file is fsynced before its rename, and its folder after the rename`()
      async throws
    {
      let path = folder.path("consent.json")
      let calls = try await calls("fsync,fdatasync,rename,renameat,renameat2", "consent", path)
      // When it was made, and for the answer.
      let renames = calls.indices.filter { calls[$0].contains("\"\(path)\"") }
      #expect(renames.count == 2)
      for place in renames {
        let new = try #require(calls[place].split(separator: "\"").dropFirst().first)
        try #require(place > 0 && place + 1 < calls.count, "\(calls)")
        #expect(calls[place - 1].contains("sync(") && calls[place - 1].contains("<\(new)>"))
        #expect(calls[place + 1].contains("sync(") && calls[place + 1].contains("<\(folder.path)>"))
      }
    }

    @Test(arguments: [39, 3])
    func `a log file is fsynced before its buffer file is removed`(lines: Int) async throws {
      let path = folder.path("shop.log")
      let calls = try await calls(
        "write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,unlink,unlinkat", path,
        folder.path("progress"), "a", "1", "\(lines)", "exit", "machine")
      let removed = try #require(
        calls.firstIndex { $0.contains(" unlink") && $0.contains(".buffer") }, "\(calls)")
      let log = calls.indices.filter { calls[$0].contains("<\(path)>") }
      let last = try #require(log.last { calls[$0].contains("write") })
      #expect(
        log.contains { calls[$0].contains("sync(") && (last..<removed).contains($0) }, "\(calls)")
    }
  }

  /// The system calls of a program, by strace(1).
  private enum SystemCalls {
    static let canBeSeen = {
      let program = try? ChildProgram("/usr/bin/env", ["strace", "-o", "/dev/null", "true"])
      return program?.waited() == 0
    }()

    /// What the program asked of those calls and how that was answered, a call a line.
    static func of(
      _ names: String, _ program: String, _ words: [String], in folder: TemporaryFolder
    ) async throws -> [String] {
      let trace = folder.path("trace")
      let homes = ["HOME=\(folder.path)", "TMPDIR=\(folder.path)"]
      let result = try await Command.run(
        homes + ["strace", "-f", "-y", "-s", "4096", "-e", "trace=\(names)", "-o", trace]
          + [Products.program(program).path] + words)
      try #require(result.status == 0, "\(result.output)")
      return try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        .filter { !$0.contains("exited with") && !$0.contains(" resumed>") }.map(String.init)
    }
  }
#endif
