// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import Ambient

  /// Paths such as `/dev/stdout`, each in a process whose standard output and error, and descriptor
  /// 100, lead to the same file, pipe or socket.
  @Suite struct `FileLog on descriptor paths` {
    static let paths = ["/dev/stdout", "/dev/stderr", "/dev/fd/100", "/proc/self/fd/100"]

    @Test(arguments: paths)
    func `a FileLog whose path names a pipe's descriptor writes to that pipe`(_ path: String)
      async
    {
      await #expect(processExitsWith: .success) { [path = path as String] in
        let pipe = try SystemPipe()
        redirect(to: pipe.writing.number)
        let log = try FileLog(path: path, level: .info, rotation: .size(10))
        for _ in 0..<3 { log.info("here") }
        var text = Data()
        while text.count(where: { $0 == 0x0A }) < 3 { text += pipe.reading.read(upTo: 1_000) }
        #expect(text.split(separator: 0x0A).allSatisfy { $0.suffix(5) == Data(" here".utf8) })
        #expect(log.lostRecords == 0)
      }
    }

    @Test(arguments: paths)
    func `creating a FileLog whose path names a socket's descriptor throws a FileOpenError`(
      _ path: String
    ) async {
      await #expect(processExitsWith: .success) { [path = path as String] in
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        redirect(to: ends[0])
        let error = #expect(throws: FileOpenError.self) { try FileLog(path: path) }
        #expect(error?.reason == SystemError.streamPath.description)
        #expect(error?.description.contains("StdoutLog()") == true)
      }
    }

    @Test(arguments: paths)
    func `a FileLog whose path names a file's descriptor puts its archives beside that file`(
      _ path: String
    ) async throws {
      let folder = TemporaryFolder()
      // Killed with lines in its buffer, which are for the one file, and not for the next file of
      // the descriptor.
      for (name, signal) in [("a.out", SIGKILL), ("b.out", 0)] {
        await #expect(processExitsWith: signal == 0 ? .success : .signal(signal)) {
          [
            path = path as String, file = folder.path(name) as String, name = name as String,
            signal = signal as CInt
          ] in
          redirect(to: open(file, O_RDWR | O_CREAT | O_APPEND, 0o644))
          var options = FileOptions()
          options.firstLines = 0
          let log = try FileLog(
            path: path, level: .info, rotation: .size(1_000, keep: 99), file: options)
          for number in 0..<100 { log.info("\(name) \(number)") }
          if signal != 0 { kill(getpid(), signal) }
        }
      }
      try FileLog.recover(path: folder.path("a.out"))
      for name in ["a.out", "b.out"] {
        let files = folder.names.filter { $0.hasPrefix(name) }
        // The recovery does not rotate.
        #expect(files.count > (name == "a.out" ? 0 : 3))
        // The test runner writes bytes of its own to the standard streams.
        let lines = try files.flatMap {
          try Data(contentsOf: folder.url.appending(path: $0)).split(separator: 0x0A)
        }
        let own = lines.map { String(decoding: $0, as: UTF8.self) }
          .filter { $0.contains(" info ") }
        #expect(own.count == 100 && own.allSatisfy { $0.contains(" \(name) ") })
      }
      #expect(!folder.names.contains { $0.hasPrefix(".ambient") })
    }
  }

  private func redirect(to descriptor: CInt) {
    for number: CInt in [1, 2, 100] { dup2(descriptor, number) }
  }
#endif
