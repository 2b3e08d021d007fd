import Foundation

/// Standard output or standard error, with the style that suits it.
struct Output: Sendable {
  static let standard = Output(descriptor: 1)
  static let error = Output(descriptor: 2)

  let style: Style
  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    style = .fitting(descriptor: descriptor, environment: ProcessInfo.processInfo.environment)
  }

  /// Writes all of the text. A reader that has closed its end, as `head` does, has had enough.
  ///
  /// - Throws: ``OutputError`` if the system refuses, as when a disk is full.
  func write(_ text: String) throws(OutputError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // Valid: the bytes are the array's own, for the time of the closure.
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

/// A result that could not be written.
struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
  let reason: String

  var description: String { "cannot write to standard output: \(reason)" }
}
