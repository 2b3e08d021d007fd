// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// An open file or stream to which whole lines are written. Failures are counted and reported, but
/// never thrown to the caller.
final class LineSink: Sendable {
  private enum Writer {
    /// The writer of a regular file.
    ///
    /// The reference is unmanaged, because a retain and a release of the writer in each call of
    /// `write` would be slow. `deinit` releases the writer.
    case file(Unmanaged<FileWriter>)
    case stream(Unmanaged<LineStream>)
  }

  let failures: Failures
  private let writer: Writer

  /// Creates a sink for a stream.
  init(_ stream: LineStream, source: String) {
    writer = .stream(.passRetained(stream))
    failures = Failures(source: source)
  }

  /// Makes missing folders, and opens the file for appending. If dead processes left lines in
  /// buffers of the file, moves these lines to the file.
  init(
    path: String, _ options: FileOptions = FileOptions(), _ rotation: FileRotation? = nil,
    source: String
  ) throws(FileOpenError) {
    if let (reason, advice) = rotation?.fault ?? options.fault {
      throw FileOpenError(path: path, reason: reason, advice: advice)
    }
    var options = options
    options.bufferFolder = options.bufferFolder.map(FileSystem.absolute)
    let failures = Failures(source: source)
    self.failures = failures
    // The path is made absolute, because the file may be opened again after the program has changed
    // its working directory.
    let (absolute, descriptor) = try attempt(
      Self.open(path, options.permissions), or: { FileOpenError(path: path, $0) })
    guard descriptor.isRegular else {
      writer = .stream(.passRetained(LineStream(path: absolute, descriptor)))
      return
    }
    let oddity = OpenFile.oddity(of: descriptor, absolute, options.permissions)
    let rotation = rotation.map {
      ScopedRotation($0) { [options] in BufferFile.living(in: $0, options.bufferFolder) }
    }
    let recovery = BufferRecovery(of: absolute, options, rotation, source: source)
    let file = FileWriter(
      path: absolute, options, rotation, descriptor, failures, lostBefore: recovery.lost)
    writer = .file(.passRetained(file))
    file.closeAtExit()
    if let oddity {
      Diagnostics.report(.invalidSetting, source: source, oddity)
    }
    for fault in recovery.faults {
      Diagnostics.report(.writeFailed, source: source, fault.description)
    }
    recovery.tellLoss(source)
  }

  /// Opens the file for appending. Returns its absolute path, too.
  private static func open(
    _ path: String, _ permissions: UInt16?
  ) throws(SystemError) -> (path: String, FileDescriptor) {
    if let fault = SystemError.fault(of: path) { throw fault }
    let real = try FileSystem.realPath(ofStream: path) ?? path
    let absolute = FileSystem.absolute(real)
    do throws(SystemError) { return (absolute, try OpenFile.open(real, permissions)) } catch {
      // A named pipe without a reader.
      let status = FileDescriptor.status(at: real)
      guard error.number == ENXIO, (status?.st_mode ?? 0) & S_IFMT == S_IFIFO else { throw error }
      return (absolute, try LineStream.open(real))
    }
  }

  deinit {
    switch writer {
    case .file(let file):
      file._withUnsafeGuaranteedRef { $0.end() }
      file.release()
    case .stream(let stream): stream.release()
    }
  }

  /// The writer of a regular file. Valid: retained until `deinit`.
  var file: FileWriter? {
    if case .file(let file) = writer { file.takeUnretainedValue() } else { nil }
  }

  /// The reader of the stream; `other` for a regular file.
  @inline(__always)
  var reader: LineStream.Reader {
    // Valid: the stream is retained until `deinit`.
    if case .stream(let stream) = writer {
      stream._withUnsafeGuaranteedRef { $0.reader }
    } else {
      .other
    }
  }

  /// Writes the buffered lines.
  func flush() { file?.flush() }

  /// Opens the path again.
  func reopen() {
    switch writer {
    case .file(let file): file.takeUnretainedValue().reopen()
    case .stream(let stream):
      do throws(SystemError) { try stream.takeUnretainedValue().reopen() } catch {
        failures.noteTrouble(.writeFailed, "cannot reopen its path: \(error).")
      }
    }
  }

  /// Writes the line, at once or later in a batch. No other sink of this process can write into the
  /// middle of the line.
  @inline(__always)
  func write(_ line: UnsafeRawBufferPointer, _ importance: LineImportance) {
    switch writer {
    // Valid: both are retained until `deinit`.
    case .file(let file): file._withUnsafeGuaranteedRef { $0.write(line, importance) }
    case .stream(let stream):
      let error = stream._withUnsafeGuaranteedRef { $0.write(line) }
      // The error is reported here, where the stream's lock is already released, because a report
      // calls user code.
      if error != nil || failures.isFailing { note(error, of: stream) }
    }
  }

  @inline(never)
  private func note(_ error: SystemError?, of stream: Unmanaged<LineStream>) {
    guard let error else { return failures.noteSuccess() }
    // Valid: the stream is retained until `deinit`.
    failures.noteFailure(
      Failures.text(
        ofLoss: error, full: LineStream.text(ofWait: stream.takeUnretainedValue().patience)))
  }
}

/// The importance of a line. It decides which lines are dropped when the buffer is full, and which
/// lines are written to the file at once.
enum LineImportance {
  /// A line that may not use the room that the buffer reserves for `important` lines.
  ///
  /// Therefore, ordinary lines are the first to be dropped when the buffer fills up.
  case ordinary
  /// A line for which room is reserved in the buffer.
  case important
  /// A line for which room is reserved, as for `important`. When it is appended, the whole buffer,
  /// with this line, is written to the file at once.
  case urgent
}
