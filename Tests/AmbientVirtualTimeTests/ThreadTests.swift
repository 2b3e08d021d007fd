// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import CVirtualTime
  import Foundation
  import Testing

  /// In processes of their own, whose files no other test opens.
  @Suite struct `Thread wait times` {
    /// The second number in the file of a thread.
    private static func waited(_ thread: UInt32) throws -> UInt64? {
      let path = "/proc/self/task/\(thread)/schedstat"
      let words = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")
      return words.count > 1 ? UInt64(words[1]) : nil
    }

    @Test
    func `a thread's wait for a processor is the kernel's value, or zero for a missing thread`()
      async
    {
      await #expect(processExitsWith: .success) {
        let thread = ambient_thread_number()
        let before = try Self.waited(thread) ?? 0
        let waited = ambient_thread_waited(thread)
        let after = try Self.waited(thread) ?? 0
        precondition(before <= waited && waited <= after, "\(before), \(waited), \(after)")
        precondition(ambient_thread_waited(.max) == 0)
      }
    }

    @Test func `reading a thread's processor wait leaves no file open`() async {
      await #expect(processExitsWith: .success) {
        let open = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let before = try open()
        for _ in 0..<100 { _ = ambient_thread_waited(ambient_thread_number()) }
        let after = try open()
        // Other threads of the process may open some.
        precondition(after < before + 50, "\(before), \(after)")
      }
    }
  }
#endif
