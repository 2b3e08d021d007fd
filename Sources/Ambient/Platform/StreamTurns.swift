// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The state of output to one pipe, terminal or file. All streams of this process to the same pipe
/// or terminal share one `StreamTurns`; a stream to a file has its own.
///
/// A long line takes several writes to a pipe, so the writers take turns.
final class StreamTurns: Sendable {
  /// The lock that a writer holds while it writes a line to a pipe or a terminal.
  let turn = Guarded(())
  /// Whether the last line was written only in part.
  let isTorn = Atomic<Bool>(false)
  /// Whether the last write ended because no reader took the line in time.
  let isStalled = Atomic<Bool>(false)
  /// The pipe or terminal; nil for a file.
  private let identity: FileDescriptor.Identity?

  /// The shared states in use: one entry for each stream that uses a state.
  private static let used = Guarded<[StreamTurns]>([])

  /// The state of a stream that was not looked at yet.
  static let none = StreamTurns()

  init(_ identity: FileDescriptor.Identity? = nil) { self.identity = identity }

  /// Returns the state of the pipe or the terminal, until `giveBack()` is called once.
  static func take(for identity: FileDescriptor.Identity?) -> StreamTurns {
    guard let identity else { return StreamTurns() }
    return used.withLock { used in
      let turns = used.first { $0.identity == identity } ?? StreamTurns(identity)
      used.append(turns)
      return turns
    }
  }

  func giveBack() {
    guard identity != nil else { return }
    Self.used.withLock { used in
      if let place = used.firstIndex(where: { $0 === self }) { used.remove(at: place) }
    }
  }

  /// Writes the line to the descriptor. The caller has the turn, unless the descriptor is a file's.
  @inline(__always)
  func write(
    _ line: UnsafeRawBufferPointer, to descriptor: FileDescriptor, _ patience: CInt,
    _ isPrompt: Bool
  ) -> SystemError? {
    let patience = isStalled.load(ordering: .relaxed) ? 0 : patience
    if isTorn.load(ordering: .relaxed),
      let error = endTornLine(of: descriptor, patience, isPrompt)
    {
      return error
    }
    let (count, error) = descriptor.write(line, patience: patience, isPrompt: isPrompt)
    guard let error else {
      if patience == 0 { isStalled.store(false, ordering: .relaxed) }
      return nil
    }
    if count > 0 { isTorn.store(true, ordering: .relaxed) }
    if error.isFull { isStalled.store(true, ordering: .relaxed) }
    return error
  }

  @inline(never)
  private func endTornLine(
    of descriptor: FileDescriptor, _ patience: CInt, _ isPrompt: Bool
  ) -> SystemError? {
    var newline = UInt8(ascii: "\n")
    let (_, error) = withUnsafeBytes(of: &newline) {
      descriptor.write($0, patience: patience, isPrompt: isPrompt)
    }
    if error == nil { isTorn.store(false, ordering: .relaxed) }
    return error
  }
}
