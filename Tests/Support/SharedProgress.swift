// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The progress of a program, in a file that the program and its parent both map into memory. So it
/// survives when the program is killed.
package final class SharedProgress: @unchecked Sendable {
  package enum Phase: Int { case starting, opening, writing, ending }

  private let words: UnsafeMutablePointer<Int>
  private let threads: Int

  package init(path: String, threads: Int) throws {
    self.threads = threads
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0, ftruncate(file, 4_096) == 0,
      let memory = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != UnsafeMutableRawPointer(bitPattern: -1)
    else { throw CocoaError(.fileWriteUnknown) }
    close(file)
    // Valid: the page is never unmapped, and new pages are zero. It stays mapped because a report
    // of a late assignment, in a test that runs at the same time, may read the page.
    words = memory.assumingMemoryBound(to: Int.self)
  }

  package var phase: Phase {
    get { Phase(rawValue: words[0]) ?? .starting }
    set { words[0] = newValue.rawValue }
  }

  /// The number of lines of each thread for which the call has returned.
  package var count: Numbers { Numbers(words: words + 1) }

  /// Whether a thread is inside a call, for each thread.
  package var isCalling: Flags { Flags(words: words + 128) }

  /// Whether some thread is flushing.
  package var isFlushing: Bool {
    get { words[256] != 0 }
    set { words[256] = newValue ? 1 : 0 }
  }

  /// The number of lines that the program reports as lost.
  package var lost: Int {
    get { words[257] }
    set { words[257] = newValue }
  }

  /// Whether a request is under way.
  package var isExchanging: Bool {
    get { words[258] != 0 }
    set { words[258] = newValue ? 1 : 0 }
  }

  /// Whether the last request was answered.
  package var isAnswered: Bool {
    get { words[259] != 0 }
    set { words[259] = newValue ? 1 : 0 }
  }

  package struct Numbers {
    let words: UnsafeMutablePointer<Int>

    package subscript(thread: Int) -> Int {
      get { words[thread] }
      nonmutating set { words[thread] = newValue }
    }
  }

  package struct Flags {
    let words: UnsafeMutablePointer<Int>

    package subscript(thread: Int) -> Bool {
      get { words[thread] != 0 }
      nonmutating set { words[thread] = newValue ? 1 : 0 }
    }
  }
}
