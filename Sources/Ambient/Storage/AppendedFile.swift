#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A file that a sink appends to, for as long as it is needed; a fork of the process has its own.
///
/// A replaced service is never freed, since calls may be under way on it. Its file is closed, so
/// that a program which replaces its log every hour does not run out of descriptors; a later line
/// opens the file again.
final class AppendedFile: Sendable {
  private let path: String
  private let options: FileOptions
  private let rotation: Rotation?
  private let failures: Failures
  /// Unmanaged, since retain and release would cost more than the copy of a line; released in
  /// `deinit`.
  private let writer: Unmanaged<FileWriter>
  /// In a fork, the writer that took the place of the parent's, whose ring is not mapped there.
  private let successor = Guarded<FileWriter?>(nil)

  /// Appends to the open file, which has that absolute path.
  init(
    path: String, _ options: FileOptions, _ rotation: FileRotation?, _ descriptor: FileDescriptor,
    _ failures: Failures
  ) {
    self.path = path
    self.options = options
    self.rotation = rotation.map { Rotation($0) }
    self.failures = failures
    writer = .passRetained(
      FileWriter(path: path, options, self.rotation, descriptor, failures))
  }

  deinit {
    // Valid: it was retained in `init`.
    let writer = writer.takeRetainedValue()
    if writer.isOwn { writer.end() }
    successor.withLock { $0 }?.end()
  }

  /// Calls `body` with the writer of this process; nil if a fork cannot open the file.
  @inline(__always)
  private func withOwn<R>(_ body: (FileWriter) -> R) -> R? {
    // Valid: it is retained as long as this object lives.
    if writer._withUnsafeGuaranteedRef({ $0.isOwn }) {
      return writer._withUnsafeGuaranteedRef { body($0) }
    }
    return successorOfFork().map(body)
  }

  @inline(never)
  private func successorOfFork() -> FileWriter? {
    if let known = successor.withLock({ $0 }), known.isOwn { return known }
    guard let descriptor = try? OpenFile.open(path, options.permissions) else { return nil }
    // Line by line: a buffer needs a thread.
    var options = options
    options.survival = .eachLine
    let made = FileWriter(path: path, options, rotation, descriptor, failures)
    return successor.withLock { successor in
      if let successor, successor.isOwn { return successor }
      successor = made
      return made
    }
  }

  /// Appends the line, now or within a second.
  @inline(__always)
  func append(_ line: UnsafeRawBufferPointer, _ weight: LineWeight) -> SystemError? {
    withOwn { $0.append(line, weight) } ?? .unopened
  }

  /// Writes what waits.
  func flush() { withOwn { $0.flush() } }

  /// Opens the path anew: for a program that is told so by SIGHUP.
  func reopen() { withOwn { $0.reopen() } }

  /// Keeps the file open from the next line on, or closes it.
  ///
  /// - Parameter isNeeded: Called under the file's lock, so that the last answer holds.
  func keep(if isNeeded: () -> Bool) { withOwn { $0.keep(if: isNeeded) } }
}

/// When a file is rotated, and by which clock: the one in force where its log was made.
struct Rotation: Sendable {
  let rule: FileRotation
  private let scope = AmbientScope.capture()

  init(_ rule: FileRotation) { self.rule = rule }

  var now: Date { scope.run { Time.now } }

  /// What rotates the file of that path; nil if it is none.
  func rotator(for path: String, _ options: FileOptions, source: String) -> Rotator? {
    Rotator(
      path: path, rule, mode: options.permissions ?? 0o644, now: now, source: source)
  }
}
