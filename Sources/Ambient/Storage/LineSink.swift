internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An open file that takes whole lines; its owner never sees a failure.
///
/// A pipe that is full is waited for, for a second at most; then lines are dropped and counted until
/// it takes some again. A line that could be written in part only is ended before the next one.
final class LineSink: Sendable {
  let failures: Failures
  let isTerminal: Bool
  private let descriptor: FileDescriptor
  private let isOwner: Bool
  /// Uncounted, since to count costs more than the rest of a write; taken until the sink ends.
  private let pipe: Unmanaged<PipeEnd>?
  private let isTorn = Atomic<Bool>(false)
  private let isStalled = Atomic<Bool>(false)

  /// A sink for a file that is open already, and stays open.
  convenience init(_ descriptor: FileDescriptor, source: String) {
    self.init(descriptor, isOwner: false, source: source)
  }

  /// Opens the file for appending, after making the folders that are missing.
  convenience init(path: String, source: String) throws(FileOpenError) {
    do {
      let folder = URL(filePath: path).deletingLastPathComponent().path
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      // The system says it better when the file is opened.
    }
    let descriptor: FileDescriptor
    do throws(SystemError) {
      descriptor = try FileDescriptor.appending(to: path)
    } catch {
      throw FileOpenError(path: path, reason: error.description)
    }
    self.init(descriptor, isOwner: true, source: source)
  }

  private init(_ descriptor: FileDescriptor, isOwner: Bool, source: String) {
    let kind = descriptor.kind
    self.descriptor = descriptor
    self.isOwner = isOwner
    isTerminal = kind == .terminal
    pipe = kind == .pipe ? PipeEnd.take(for: descriptor) : nil
    failures = Failures(source: source)
    if kind == .pipe { BrokenPipe.survive() }
  }

  deinit {
    if let pipe { PipeEnd.giveBack(pipe) }
    if isOwner { descriptor.close() }
  }

  /// Writes the line with one call of the system's, so that writers do not tear each other's.
  func write(_ line: String) {
    var line = line
    // Valid: the bytes are the line's own, for the time of the closure.
    line.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes the line with one call of the system's, so that writers do not tear each other's.
  @inline(__always)
  func write(_ line: UnsafeRawBufferPointer) {
    let error =
      if let pipe {
        // Valid: the sink has taken it.
        pipe._withUnsafeGuaranteedRef { pipe in
          pipe.turn.withLock { _ in
            writeNow(line, to: pipe.own ?? descriptor, isPrompt: pipe.own == nil)
          }
        }
      } else {
        writeNow(line, to: descriptor, isPrompt: false)
      }
    // Reported outside of the lock, since a report calls the program.
    if error != nil || failures.isFailing { note(error) }
  }

  @inline(never)
  private func note(_ error: SystemError?) {
    guard let error else { return failures.noteSuccess() }
    failures.noteFailure(
      error.isFull
        ? "nobody reads: a line could not be written within a second. What is lost is counted."
        : "could not write: \(error). What is lost is counted.")
  }

  @inline(__always)
  private func writeNow(
    _ line: UnsafeRawBufferPointer, to descriptor: FileDescriptor, isPrompt: Bool
  ) -> SystemError? {
    let patience: CInt = isStalled.load(ordering: .relaxed) ? 0 : 1_000
    if isTorn.load(ordering: .relaxed) {
      if let error = endTornLine(descriptor, patience, isPrompt) { return error }
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
    _ descriptor: FileDescriptor, _ patience: CInt, _ isPrompt: Bool
  ) -> SystemError? {
    var newline = UInt8(ascii: "\n")
    let (_, error) = withUnsafeBytes(of: &newline) {
      descriptor.write($0, patience: patience, isPrompt: isPrompt)
    }
    if error == nil { isTorn.store(false, ordering: .relaxed) }
    return error
  }
}
