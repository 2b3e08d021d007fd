// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport

  /// A disk that does not answer: the writes of this process to the files of its logs do not return.
  ///
  /// The system asks a listener about each of these calls (seccomp(2)), who never answers. The calls
  /// end with the process.
  enum HungDisk {
    /// The numbers of system calls, which Swift does not import: prctl(2), seccomp(2), and those that
    /// hang, write, writev, pwrite64, fsync and fdatasync.
    private enum Calls {
      #if arch(x86_64)
        static let (prctl, seccomp) = (157, 317)
        static let hanging: [UInt64] = [1, 20, 18, 74, 75]
      #else
        static let (prctl, seccomp) = (167, 277)
        static let hanging: [UInt64] = [64, 66, 68, 82, 83]
      #endif
    }

    /// Makes the disk hang for all threads; returns false if the system does not allow it.
    static func begin() -> Bool {
      // Valid: the C library declares `syscall` with a variable number of words.
      let call = unsafeBitCast(
        loadedSymbol("syscall"), to: (@convention(c) (Int, Int, Int, Int, Int, Int) -> Int).self)
      let (noNewPrivileges, setFilter) = (38, 1)
      // For all threads, with a listener.
      let flags = 1 | 8 | 16
      let filter = program
      return filter.withUnsafeBufferPointer { filter in
        // Valid: the system copies the program during the call.
        var words = [filter.count, Int(bitPattern: filter.baseAddress)]
        return words.withUnsafeMutableBufferPointer { words in
          call(Calls.prctl, noNewPrivileges, 1, 0, 0, 0) == 0
            && call(Calls.seccomp, setFilter, flags, Int(bitPattern: words.baseAddress), 0, 0) >= 0
        }
      }
    }

    /// The instructions of the filter, a word each: the code, the jumps if true and false, the value.
    private static var program: [UInt64] {
      func word(_ code: UInt64, _ value: UInt64, _ yes: UInt64 = 0, _ no: UInt64 = 0) -> UInt64 {
        code | yes << 16 | no << 24 | value << 32
      }
      let (load, equals, isAtLeast, answer): (UInt64, UInt64, UInt64, UInt64) = (
        0x20, 0x15, 0x35, 0x06
      )
      let calls = Calls.hanging
      let checks = calls.enumerated().map { index, number in
        word(equals, number, UInt64(calls.count - index))
      }
      let (ask, allow): (UInt64, UInt64) = (0x7FC0_0000, 0x7FFF_0000)
      // Logs keep their files at the numbers from 512 on.
      return [word(load, 0)] + checks + [
        word(answer, allow), word(load, 16), word(isAtLeast, 512, 0, 1), word(answer, ask),
        word(answer, allow),
      ]
    }
  }
#endif
