internal import Synchronization

/// An open file to which whole lines are appended. Failures are counted and reported, but never
/// thrown to the caller.
///
/// If a pipe is full, a write waits for room, for a second by default. If there is no room by then,
/// this line and the following ones are dropped and counted, until the pipe has room again. If a
/// line could be written only in part, a newline is written before the next line.
final class LineSink: Sendable {
  /// The default time that a line waits for room in a full pipe.
  static let patience = Duration.seconds(1)

  let failures: Failures
  let isTerminal: Bool
  private let descriptor: FileDescriptor
  /// The writer of a regular file that the sink opened itself; `descriptor` is then not used.
  private let file: Unmanaged<FileWriter>?
  private let isOwner: Bool
  /// The number of milliseconds that a line waits for room in a full pipe.
  private let patience: CInt
  /// Whether each write must ask the system not to block, because the descriptor may lack
  /// O_NONBLOCK.
  private let isPrompt: Bool
  /// The stream that is shared by all sinks of the same pipe or terminal; nil for a file. It is
  /// unmanaged, because a retain and a release would add about 10 % to the cost of a line. `deinit`
  /// releases it.
  private let stream: Unmanaged<SharedStream>?
  /// The number of lines that dead writers of the file dropped without writing a notice of the loss
  /// into the file.
  private let lostBefore: Int
  /// Whether the last line was torn, and whether there was no room for it. Used only if `file`
  /// and `stream` are nil; a pipe or a terminal has its state in `stream`.
  private let state = LineState()

  /// Creates a sink for a descriptor that is already open and that the sink does not close.
  ///
  /// - Parameters:
  ///   - reopensPipe: Whether to open a pipe a second time, for this sink alone.
  ///   - patience: The time that a line waits for room in a full pipe.
  convenience init(
    _ descriptor: FileDescriptor, reopensPipe: Bool = false, patience: Duration = patience,
    source: String
  ) {
    if reopensPipe, descriptor.kind == .pipe, let own = descriptor.reopenedToWriteAtOnce() {
      self.init(own, isOwner: true, patience, source: source)
    } else {
      self.init(descriptor, isOwner: false, patience, source: source)
    }
  }

  /// Makes missing folders, and opens the file for appending. If dead processes left lines in
  /// buffers of the file, moves these lines to the file.
  convenience init(
    path: String, _ options: FileOptions = FileOptions(), _ rotation: FileRotation? = nil,
    source: String
  ) throws(FileOpenError) {
    if let (reason, advice) = rotation?.fault ?? options.fault {
      throw FileOpenError(path: path, reason: reason, advice: advice)
    }
    var options = options
    options.bufferFolder = options.bufferFolder.map(FileSystem.absolute)
    let descriptor: FileDescriptor
    do throws(SystemError) {
      descriptor = try OpenFile.open(path, options.permissions)
    } catch {
      throw FileOpenError(path: path, reason: error.description)
    }
    // A named pipe is made non-blocking. This affects no other code, because this descriptor was
    // just opened and is not shared.
    if descriptor.kind == .pipe { descriptor.failWhereItWouldWait() }
    // The path is made absolute, because the file may be opened again after the program has changed
    // its working directory.
    let absolute = FileSystem.absolute(path)
    let rotation = rotation.map { Rotation($0) }
    let recovery =
      descriptor.isRegular ? BufferRecovery(of: absolute, options, rotation) : nil
    self.init(
      descriptor, isOwner: true, Self.patience, path: absolute, options, rotation,
      lostBefore: recovery?.lost ?? 0, source: source)
    if let oddity = OpenFile.oddity(of: descriptor, absolute, options.permissions) {
      Diagnostics.report(.invalidSetting, source: source, oddity)
    }
    for fault in recovery?.faults ?? [] {
      Diagnostics.report(.writeFailed, source: source, fault.description)
    }
    recovery?.tellLoss(source)
  }

  private init(
    _ descriptor: FileDescriptor, isOwner: Bool, _ patience: Duration, path: String? = nil,
    _ options: FileOptions = FileOptions(), _ rotation: Rotation? = nil, lostBefore: Int = 0,
    source: String
  ) {
    self.lostBefore = lostBefore
    let kind = descriptor.kind
    let failures = Failures(source: source)
    self.failures = failures
    file =
      descriptor.isRegular
      ? path.map { .passRetained(FileWriter(path: $0, options, rotation, descriptor, failures)) }
      : nil
    self.descriptor = descriptor
    self.isOwner = isOwner && file == nil
    self.patience = CInt(patience / .milliseconds(1))
    isPrompt = kind == .pipe && !isOwner
    isTerminal = kind == .terminal
    stream = SharedStream.take(for: descriptor, kind)
    if kind == .pipe { WriteSignals.surviveClosedPipe() }
  }

  deinit {
    if let stream { SharedStream.giveBack(stream) }
    if let file {
      file._withUnsafeGuaranteedRef { $0.end() }
      file.release()
    }
    if isOwner { descriptor.close() }
  }

  /// Closes the file if `isNeeded` returns false, for example because the log that owns the sink is
  /// no longer installed anywhere. After that, the file is opened and closed again for each line.
  func keepOpen(if isNeeded: () -> Bool) {
    file?._withUnsafeGuaranteedRef { $0.keep(if: isNeeded) }
  }

  /// Sets the function that makes the log's notice that a number of lines were lost. If a dead
  /// writer dropped lines and wrote no notice of them, writes that notice at once.
  func tellLoss(_ notice: @escaping @Sendable (Int) -> [UInt8]) {
    failures.tellLoss(notice)
    if lostBefore > 0 { notice(lostBefore).withUnsafeBytes { write($0, .important) } }
  }

  /// Writes the buffered lines.
  func flush() { file?._withUnsafeGuaranteedRef { $0.flush() } }

  /// Opens the file's path again.
  func reopen() { file?._withUnsafeGuaranteedRef { $0.reopen() } }

  /// Writes the line, at once or later in a batch. No other sink of this process can write into the
  /// middle of the line.
  @inline(__always)
  func write(_ line: UnsafeRawBufferPointer, _ weight: LineWeight) {
    let error =
      if let stream {
        // Valid: the sink retains its stream until `deinit`.
        stream._withUnsafeGuaranteedRef { stream in
          stream.turn.withLock { _ in write(line, to: descriptor, isPrompt, stream.state) }
        }
      } else if let file {
        // Valid: retained in `init`.
        file._withUnsafeGuaranteedRef { $0.append(line, weight) }
      } else {
        write(line, to: descriptor, false, state)
      }
    // The error is reported after the lock is released, because a report calls user code.
    if error != nil || failures.isFailing { note(error) }
  }

  @inline(never)
  private func note(_ error: SystemError?) {
    guard let error else {
      // The success of a `FileWriter` proves nothing, because its buffer accepts lines even while
      // writes to the file fail. The `FileWriter` itself notes the recovery.
      if file == nil { failures.noteSuccess() }
      return
    }
    failures.noteFailure("\(reason(error)). Lost lines are counted.")
  }

  private func reason(_ error: SystemError) -> String {
    guard error.isFull else { return "could not write: \(error)" }
    return file == nil
      ? "its reader took nothing for \(patience) ms, so a line was dropped"
      : "the disk does not keep up: the buffer had no room for a line"
  }

  @inline(__always)
  private func write(
    _ line: UnsafeRawBufferPointer, to descriptor: FileDescriptor, _ isPrompt: Bool,
    _ state: borrowing LineState
  ) -> SystemError? {
    let patience = state.isStalled.load(ordering: .relaxed) ? 0 : patience
    if state.isTorn.load(ordering: .relaxed) {
      if let error = endTornLine(descriptor, patience, state) { return error }
    }
    let (count, error) = descriptor.write(line, patience: patience, isPrompt: isPrompt)
    guard let error else {
      if patience == 0 { state.isStalled.store(false, ordering: .relaxed) }
      return nil
    }
    if count > 0 { state.isTorn.store(true, ordering: .relaxed) }
    if error.isFull { state.isStalled.store(true, ordering: .relaxed) }
    return error
  }

  @inline(never)
  private func endTornLine(
    _ descriptor: FileDescriptor, _ patience: CInt, _ state: borrowing LineState
  ) -> SystemError? {
    var newline = UInt8(ascii: "\n")
    let (_, error) = withUnsafeBytes(of: &newline) {
      descriptor.write($0, patience: patience, isPrompt: isPrompt)
    }
    if error == nil { state.isTorn.store(false, ordering: .relaxed) }
    return error
  }
}
