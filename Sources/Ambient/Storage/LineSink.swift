/// An open file to which whole lines are appended. Failures are counted and reported, but never
/// thrown to the caller.
final class LineSink: Sendable {
  /// The default time that a line waits for room in a full pipe.
  static let patience = Duration.seconds(1)

  private enum Writer {
    /// The writer of a regular file that the sink opened itself. The reference is unmanaged,
    /// because a retain and a release of the writer in each call of `write` would be slow. `deinit`
    /// releases the writer.
    case file(Unmanaged<FileWriter>)
    case stream(StreamWriter)
  }

  let failures: Failures
  private let writer: Writer
  /// The number of lines that dead writers of the file dropped without writing a notice of the loss
  /// into the file.
  private let lostBefore: Int

  /// Creates a sink for a descriptor that is already open and that the sink does not close.
  ///
  /// - Parameters:
  ///   - reopensPipe: Whether to open a pipe a second time, for this sink alone.
  ///   - patience: The time that a line waits for room in a full pipe.
  convenience init(
    _ descriptor: FileDescriptor, reopensPipe: Bool = false, patience: Duration = patience,
    source: String
  ) {
    let reopens = reopensPipe && descriptor.kind == .pipe
    let own = reopens ? descriptor.reopenedToWriteAtOnce() : nil
    let stream = StreamWriter(own ?? descriptor, isOwner: own != nil, patience: patience)
    self.init(.stream(stream), Failures(source: source))
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
    let permissions = options.permissions
    let descriptor = try attempt(
      OpenFile.open(path, permissions),
      or: { FileOpenError(path: path, reason: $0.description) })
    let failures = Failures(source: source)
    guard descriptor.isRegular else {
      // A named pipe is made non-blocking. This affects no other code, because this descriptor was
      // just opened and is not shared.
      if descriptor.kind == .pipe { descriptor.failWhereItWouldWait() }
      self.init(.stream(StreamWriter(descriptor, isOwner: true)), failures)
      return
    }
    // The path is made absolute, because the file may be opened again after the program has changed
    // its working directory.
    let absolute = FileSystem.absolute(path)
    let rotation = rotation.map { ScopedRotation($0) }
    let recovery = BufferRecovery(of: absolute, options, rotation)
    let file = FileWriter(path: absolute, options, rotation, descriptor, failures)
    self.init(.file(.passRetained(file)), failures, lostBefore: recovery.lost)
    if let oddity = OpenFile.oddity(of: descriptor, absolute, permissions) {
      Diagnostics.report(.invalidSetting, source: source, oddity)
    }
    for fault in recovery.faults {
      Diagnostics.report(.writeFailed, source: source, fault.description)
    }
    recovery.tellLoss(source)
  }

  private init(_ writer: Writer, _ failures: Failures, lostBefore: Int = 0) {
    self.writer = writer
    self.failures = failures
    self.lostBefore = lostBefore
  }

  deinit {
    switch writer {
    case .file(let file):
      file._withUnsafeGuaranteedRef { $0.end() }
      file.release()
    case .stream(let stream): stream.close()
    }
  }

  /// The writer of a file that the sink opened itself. Valid: retained until `deinit`.
  var file: FileWriter? {
    if case .file(let file) = writer { file.takeUnretainedValue() } else { nil }
  }

  var isTerminal: Bool {
    if case .stream(let stream) = writer { stream.isTerminal } else { false }
  }

  /// Sets the function that returns the text of a notice, for the number of lost lines. If an
  /// earlier process dropped lines and ended before it wrote a notice, writes that notice at once.
  func tellLoss(_ notice: @escaping @Sendable (Int) -> [UInt8]) {
    failures.tellLoss(notice)
    if lostBefore > 0 { notice(lostBefore).withUnsafeBytes { write($0, .important) } }
  }

  /// Writes the buffered lines.
  func flush() { file?.flush() }

  /// Opens the file's path again.
  func reopen() { file?.reopen() }

  /// Writes the line, at once or later in a batch. No other sink of this process can write into the
  /// middle of the line.
  @inline(__always)
  func write(_ line: UnsafeRawBufferPointer, _ importance: LineImportance) {
    let error =
      switch writer {
      // Valid: the writer of a file is retained until `deinit`.
      case .file(let file): file._withUnsafeGuaranteedRef { $0.append(line, importance) }
      case .stream(let stream): stream.write(line)
      }
    // The error is reported here, where the writer's lock is already released, because a report
    // calls user code.
    if error != nil || failures.isFailing { note(error) }
  }

  @inline(never)
  private func note(_ error: SystemError?) {
    guard let error else {
      // The success of a `FileWriter` proves nothing, because its buffer accepts lines even while
      // writes to the file fail. The `FileWriter` itself notes the recovery.
      if case .stream = writer { failures.noteSuccess() }
      return
    }
    failures.noteFailure("\(reason(error)). Lost lines are counted.")
  }

  private func reason(_ error: SystemError) -> String {
    guard error.isFull else { return "could not write: \(error)" }
    return switch writer {
    case .file: "the disk does not keep up: the buffer had no room for a line"
    case .stream(let stream):
      "its reader took nothing for \(stream.patience) ms, so a line was dropped"
    }
  }
}

/// The importance of a line. It decides which lines are dropped when the buffer is full, and which
/// lines are written to the file at once.
enum LineImportance {
  /// A line that may not use the room that the buffer reserves for `important` lines. Therefore,
  /// ordinary lines are the first to be dropped when the buffer fills up.
  case ordinary
  /// A line for which room is reserved in the buffer.
  case important
  /// A line for which room is reserved, as for `important`. When it is appended, the whole buffer,
  /// with this line, is written to the file at once.
  case urgent
}
