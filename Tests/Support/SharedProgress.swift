internal import Foundation

/// How far a program got, in a file that it and its parent map, so that it survives a kill.
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
    // Valid: the page stays mapped; new ones are zero. A report of a late assignment reads what is
    // mapped, in a test beside this one.
    words = memory.assumingMemoryBound(to: Int.self)
  }

  package var phase: Phase {
    get { Phase(rawValue: words[0]) ?? .starting }
    set { words[0] = newValue.rawValue }
  }

  /// How many lines each thread's calls have returned for.
  package var count: Numbers { Numbers(words: words + 1) }

  /// Whether each thread is within a call.
  package var isCalling: Flags { Flags(words: words + 128) }

  /// Whether some thread writes out what waits.
  package var isFlushing: Bool {
    get { words[256] != 0 }
    set { words[256] = newValue ? 1 : 0 }
  }

  /// How many lines the program says that it has lost.
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
