internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An open file that takes whole lines; its owner never sees a failure.
///
/// A pipe that is full is waited for, for a second unless told otherwise; then lines are dropped
/// and counted until it takes some again. A line that could be written in part only is ended before
/// the next one.
final class LineSink: Sendable {
  /// How long a full pipe is waited for, unless told otherwise.
  static let patience = Duration.seconds(1)

  let failures: Failures
  let isTerminal: Bool
  private let descriptor: FileDescriptor
  /// The file, if it is one that the sink opened itself; then `descriptor` is not used.
  private let file: Unmanaged<FileWriter>?
  private let isOwner: Bool
  /// How many milliseconds a full pipe is waited for.
  private let patience: CInt
  /// Whether a write must be kept from waiting by the call, since the descriptor does not.
  private let isPrompt: Bool
  /// Unmanaged, since retain and release would cost about 10 % of a line; released in `deinit`.
  private let outlet: Unmanaged<SharedStream>?
  /// How many lines a writer that died had dropped without a word in the file.
  private let lostBefore: Int
  /// Of a file, which has no outlet.
  private let state = LineState()

  /// A sink for a file that is open already, and stays open.
  ///
  /// - Parameters:
  ///   - reopensPipe: Whether a pipe is opened once more, for this sink alone.
  ///   - patience: How long a full pipe is waited for.
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

  /// Opens the file for appending, after making the folders that are missing, and brings there what
  /// a process that died has left in a buffer.
  convenience init(
    path: String, _ options: FileOptions = FileOptions(), _ rotation: FileRotation? = nil,
    source: String
  ) throws(FileOpenError) {
    if let (reason, advice) = rotation?.fault ?? options.fault {
      throw FileOpenError(path: path, reason: reason, advice: advice)
    }
    var options = options
    options.bufferFolder = options.bufferFolder.map(Self.absolute)
    let descriptor: FileDescriptor
    do throws(SystemError) {
      descriptor = try OpenFile.open(path, options.permissions)
    } catch {
      throw FileOpenError(path: path, reason: error.description)
    }
    // It is ours alone: a named pipe may fail where it would wait.
    if descriptor.kind == .pipe { descriptor.failWhereItWouldWait() }
    // Absolute, since it is opened again where the program may have gone elsewhere.
    let absolute = Self.absolute(path)
    let rotation = rotation.map { Rotation($0) }
    let recovery =
      descriptor.isRegular ? BufferRecovery(of: absolute, options, rotation) : nil
    self.init(
      descriptor, isOwner: true, Self.patience, path: absolute, options, rotation,
      lostBefore: recovery?.lost ?? 0, source: source)
    if let oddity = OpenFile.oddity(of: descriptor, absolute, options.permissions) {
      Diagnostics.report(Diagnostic(.invalidSetting, source: source, oddity))
    }
    for fault in recovery?.faults ?? [] {
      Diagnostics.report(Diagnostic(.writeFailed, source: source, fault.description))
    }
    recovery?.tellLoss(source)
  }

  /// The path from the root, without parts that say nothing; `..` stays, since what it means
  /// depends on links.
  static func absolute(_ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
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
    outlet = SharedStream.take(for: descriptor, kind)
    if kind == .pipe { WriteSignals.surviveClosedPipe() }
  }

  deinit {
    if let outlet { SharedStream.giveBack(outlet) }
    if let file {
      file._withUnsafeGuaranteedRef { $0.end() }
      file.release()
    }
    if isOwner { descriptor.close() }
  }

  /// Lets go of a file while its owner is not needed anywhere; a line opens it again.
  func keepOpen(if isNeeded: () -> Bool) {
    file?._withUnsafeGuaranteedRef { $0.keep(if: isNeeded) }
  }

  /// Sets how the sink's owner says that lines were lost, and says so if a writer that died had not
  /// done it.
  func tellLoss(_ notice: @escaping @Sendable (Int) -> [UInt8]) {
    failures.tellLoss(notice)
    if lostBefore > 0 { notice(lostBefore).withUnsafeBytes { write($0, .important) } }
  }

  /// Writes what waits in a buffer.
  func flush() { file?._withUnsafeGuaranteedRef { $0.flush() } }

  /// Opens a file anew at its path.
  func reopen() { file?._withUnsafeGuaranteedRef { $0.reopen() } }

  /// Writes the line, now or with others, in one piece, so that writers do not tear each other's.
  @inline(__always)
  func write(_ line: UnsafeRawBufferPointer, _ weight: LineWeight) {
    let error =
      if let outlet {
        // Valid: the sink has taken it.
        outlet._withUnsafeGuaranteedRef { outlet in
          outlet.turn.withLock { _ in write(line, to: descriptor, isPrompt, outlet.state) }
        }
      } else if let file {
        // Valid: it was retained in `init`.
        file._withUnsafeGuaranteedRef { $0.append(line, weight) }
      } else {
        write(line, to: descriptor, false, state)
      }
    // Reported outside of the lock, since a report calls the program.
    if error != nil || failures.isFailing { note(error) }
  }

  @inline(never)
  private func note(_ error: SystemError?) {
    guard let error else {
      // A buffer takes lines while its file fails; the thread that drains it sees the recovery.
      if file == nil { failures.noteSuccess() }
      return
    }
    failures.noteFailure("\(reason(error)). What is lost is counted.")
  }

  private func reason(_ error: SystemError) -> String {
    guard error.isFull else { return "could not write: \(error)" }
    return file == nil
      ? "nobody reads: a line could not be written within \(patience) ms"
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
