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
  private let descriptor: FileDescriptor
  private let isOwner: Bool
  private let kind: FileDescriptor.Kind
  private let isTorn = Atomic<Bool>(false)
  private let isStalled = Atomic<Bool>(false)
  /// A long line takes several writes to a pipe: no other line may come in between.
  private let turn: Guarded<Void>

  /// A sink for a file that is open already, and stays open.
  init(_ descriptor: FileDescriptor, source: String) {
    self.descriptor = descriptor
    isOwner = false
    kind = descriptor.kind
    turn = Guarded(())
    failures = Failures(source: source)
    if kind == .pipe { BrokenPipe.survive() }
  }

  /// Opens the file for appending, after making the folders that are missing.
  init(path: String, source: String) throws(FileOpenError) {
    do {
      let folder = URL(filePath: path).deletingLastPathComponent().path
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      // The system says it better when the file is opened.
    }
    do throws(SystemError) {
      descriptor = try FileDescriptor.appending(to: path)
    } catch {
      throw FileOpenError(path: path, reason: error.description)
    }
    isOwner = true
    kind = descriptor.kind
    turn = Guarded(())
    failures = Failures(source: source)
    if kind == .pipe { BrokenPipe.survive() }
  }

  deinit { if isOwner { descriptor.close() } }

  var isTerminal: Bool { kind == .terminal }

  /// Writes the line with one call of the system's, so that writers do not tear each other's.
  func write(_ line: String) {
    var line = line
    // Valid: the bytes are the line's own, for the time of the closure.
    line.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes the line with one call of the system's, so that writers do not tear each other's.
  func write(_ line: UnsafeRawBufferPointer) {
    let error =
      kind == .file ? writeNow(line) : turn.withLock { _ in writeNow(line) }
    // Reported outside of the lock, since a report calls the program.
    if let error {
      failures.noteFailure(
        error.isFull
          ? "nobody reads: a line could not be written within a second. What is lost is counted."
          : "could not write: \(error). What is lost is counted.")
    } else {
      failures.noteSuccess()
    }
  }

  private func writeNow(_ line: UnsafeRawBufferPointer) -> SystemError? {
    let isPrompt = kind == .pipe
    let patience: CInt = isStalled.load(ordering: .relaxed) ? 0 : 1_000
    if isTorn.load(ordering: .relaxed) {
      var newline = UInt8(ascii: "\n")
      let (_, error) = withUnsafeBytes(of: &newline) {
        descriptor.write($0, patience: patience, isPrompt: isPrompt)
      }
      if let error { return error }
      isTorn.store(false, ordering: .relaxed)
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
}
