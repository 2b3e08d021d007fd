internal import Synchronization

/// A writer of lines to a pipe, a terminal or a device, or to a file that other code has opened.
///
/// If a pipe is full, a write waits for room, for a second by default. If there is no room by then,
/// this line and the following ones are dropped and counted, until the pipe has room again. If a
/// line could be written only in part, a newline is written before the next line.
struct StreamWriter: Sendable {
  let isTerminal: Bool
  /// The number of milliseconds that a line waits for room in a full pipe.
  let patience: CInt
  private let descriptor: FileDescriptor
  private let isOwner: Bool
  /// Whether each write must ask the system not to block, because the descriptor may lack
  /// O_NONBLOCK.
  private let isPrompt: Bool
  /// The stream, which `close()` releases. It is unmanaged, because a retain and a release would
  /// add about 10 % to the cost of a line.
  private let stream: Unmanaged<StreamState>

  /// Creates a writer to an open descriptor.
  ///
  /// - Parameter isOwner: Whether this writer closes the descriptor. If so, and if it is a pipe's,
  ///   the caller has set O_NONBLOCK, so that a write does not block while the pipe is full.
  init(_ descriptor: FileDescriptor, isOwner: Bool, patience: Duration = LineSink.patience) {
    let kind = descriptor.kind
    self.descriptor = descriptor
    self.isOwner = isOwner
    self.patience = CInt(patience / .milliseconds(1))
    isPrompt = kind == .pipe && !isOwner
    isTerminal = kind == .terminal
    stream = StreamState.take(for: descriptor, kind)
    if kind == .pipe { WriteSignals.surviveClosedPipe() }
  }

  /// Releases the stream, and closes the descriptor if this writer owns it.
  func close() {
    StreamState.giveBack(stream)
    if isOwner { descriptor.close() }
  }

  /// Writes the line. No other writer of this process can write into the middle of the line.
  /// Returns the error if the line was not written whole, and nil otherwise.
  @inline(__always)
  func write(_ line: UnsafeRawBufferPointer) -> SystemError? {
    // Valid: the stream is retained until `close()`.
    stream._withUnsafeGuaranteedRef { stream in
      stream.isShared ? stream.turn.withLock { _ in write(line, stream) } : write(line, stream)
    }
  }

  @inline(__always)
  private func write(_ line: UnsafeRawBufferPointer, _ stream: StreamState) -> SystemError? {
    let patience = stream.isStalled.load(ordering: .relaxed) ? 0 : patience
    if stream.isTorn.load(ordering: .relaxed) {
      if let error = endTornLine(patience, stream) { return error }
    }
    let (count, error) = descriptor.write(line, patience: patience, isPrompt: isPrompt)
    guard let error else {
      if patience == 0 { stream.isStalled.store(false, ordering: .relaxed) }
      return nil
    }
    if count > 0 { stream.isTorn.store(true, ordering: .relaxed) }
    if error.isFull { stream.isStalled.store(true, ordering: .relaxed) }
    return error
  }

  @inline(never)
  private func endTornLine(_ patience: CInt, _ stream: StreamState) -> SystemError? {
    var newline = UInt8(ascii: "\n")
    let (_, error) = withUnsafeBytes(of: &newline) {
      descriptor.write($0, patience: patience, isPrompt: isPrompt)
    }
    if error == nil { stream.isTorn.store(false, ordering: .relaxed) }
    return error
  }
}
