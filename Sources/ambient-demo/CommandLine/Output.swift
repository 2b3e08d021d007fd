// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation

/// Standard output or standard error, with the text style that suits its destination.
struct Output: Sendable {
  static let standard = Output(descriptor: 1)
  static let error = Output(descriptor: 2)

  let style: Style
  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    style = .fitting(
      descriptor: descriptor, environment: ProcessInfo.processInfo.environment)
  }

  /// Writes the whole text. If the reader has closed its end, as `head` does, that isn't an error.
  ///
  /// Standard output waits for its reader, as a pager needs it. Standard error drops a text that
  /// finds no room for a second.
  ///
  /// - Throws: ``OutputError`` if the system refuses a text for standard output, for example
  ///   because a disk is full.
  func write(_ text: String) throws(OutputError) {
    if descriptor == 2 { return StandardError.write(text) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // Valid: the array keeps its bytes while the closure runs.
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      case EPIPE: return
      case let number: throw OutputError(reason: String(cString: strerror(number)))
      }
    }
  }
}

/// The error that is thrown if a result cannot be written.
struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
  let reason: String

  var description: String { "cannot write to standard output: \(reason)" }
}

/// The descriptors 0, 1 and 2, which every program expects to be open.
enum StandardStreams {
  /// Opens those standard files that were closed when the program started, so that no other file
  /// gets their numbers.
  ///
  /// Each is opened as `/dev/null` for reading only, so reading from it finds nothing, and writing
  /// to it fails. The failure is intended: a program whose output is closed from the start must
  /// report an error. Call this method before any other file is opened.
  static func openClosed() {
    // `open` returns the lowest free number. That is `descriptor`, since all lower ones are open.
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
