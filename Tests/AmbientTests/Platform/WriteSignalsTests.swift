// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import Ambient

  /// Each in a process of its own, whose handlers they change.
  @Suite struct `Signals from failed writes` {
    @Test func `a write to a pipe without a reader doesn't end the program`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGPIPE, SIG_DFL)
        WriteSignals.surviveClosedPipe()
        let pipe = try SystemPipe()
        pipe.reading.close()
        let error = [1, 2, 3].withUnsafeBytes {
          pipe.writing.write($0, patience: 0).error
        }
        precondition(error == SystemError(number: EPIPE), "\(error as Any)")
        var action = sigaction()
        precondition(sigaction(SIGPIPE, nil, &action) == 0)
        precondition(action.sa_flags & CInt(SA_RESTART) != 0)
      }
    }

    @Test func `a write beyond the file size limit doesn't end the program`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGXFSZ, SIG_DFL)
        WriteSignals.surviveSizeLimit()
        let folder = TemporaryFolder()
        let file = try FileDescriptor.new(folder.path("file"))
        precondition(ResourceLimit.fileSize.set(0, most: 1 << 30))
        let number = Foundation.write(file.number, "a", 1) < 0 ? errno : 0
        ResourceLimit.fileSize.set(1 << 30)
        precondition(number == EFBIG, "\(number)")
      }
    }

    @Test func `after WriteSignals.surviveClosedPipe(), a program's own SIGPIPE handler is called`()
      async
    {
      await #expect(processExitsWith: .exitCode(7)) {
        signal(SIGPIPE) { _ in _exit(7) }
        WriteSignals.surviveClosedPipe()
        let pipe = try SystemPipe()
        pipe.reading.close()
        _ = Foundation.write(pipe.writing.number, "a", 1)
      }
    }

    @Test func `if standard error has no reader, a report to it doesn't end the program`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGPIPE, SIG_DFL)
        let pipe = try SystemPipe()
        pipe.reading.close()
        precondition(dup2(pipe.writing.number, 2) == 2)
        Diagnostics.report(Diagnostic(.writeFailed, source: "Test", "nobody hears it"))
      }
    }
  }
#endif
