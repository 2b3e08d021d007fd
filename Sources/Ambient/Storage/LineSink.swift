#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An open file that takes whole lines; its owner never sees a failure.
final class LineSink: Sendable {
  let failures: Failures
  private let descriptor: FileDescriptor
  private let isOwner: Bool

  /// A sink for a file that is open already, and stays open.
  init(_ descriptor: FileDescriptor, source: String) {
    self.descriptor = descriptor
    isOwner = false
    failures = Failures(source: source)
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
    failures = Failures(source: source)
  }

  deinit { if isOwner { descriptor.close() } }

  /// Writes the line with one call of the system's, so that writers do not tear each other's.
  func write(_ line: String) {
    var line = line
    do {
      // Valid: the bytes are the line's own, for the time of the closure.
      try line.withUTF8 { try descriptor.write(UnsafeRawBufferPointer($0)) }
      failures.noteSuccess()
    } catch {
      failures.noteFailure("could not write: \(error). What is lost is counted.")
    }
  }
}
