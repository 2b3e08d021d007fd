internal import Ambient
internal import Foundation
internal import Synchronization

/// A log that gathers lines in memory and writes 64 KiB at a time.
final class BlockLog: Log, @unchecked Sendable {
  private let format: LogFormat
  private let block = Mutex(LineBlock())

  init(_ format: LogFormat) {
    self.format = format
    super.init(level: .info)
  }

  override func write(_ record: LogRecord) {
    format.withLine(record) { line in
      // As numbers, since a pointer of the caller's may not go into the lock's block.
      let (start, count) = (UInt(bitPattern: line.baseAddress), line.count)
      block.withLock { block in
        // Valid: the line stays while this block runs.
        block.append(
          UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: start), count: count))
      }
    }
  }
}

/// 64 KiB of lines; full, it is written to nowhere.
final class LineBlock {
  private static let sink = open("/dev/null", O_WRONLY)
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
  private var count = 0

  deinit { bytes.deallocate() }

  func append(_ line: UnsafeRawBufferPointer) {
    if count + line.count > bytes.count {
      _ = write(Self.sink, bytes.baseAddress, count)
      count = 0
    }
    bytes[count...].copyBytes(from: line)
    count += line.count
  }
}

/// A file without a name, removed when the process ends.
struct TemporaryFile {
  let descriptor: Int32

  init() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())").path
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    unlink(path)
  }
}

/// A pipe whose reader takes what comes, on a thread of its own.
struct DrainedPipe {
  let writing: Int32

  init() {
    let pipe = Pipe()
    writing = dup(pipe.fileHandleForWriting.fileDescriptor)
    Thread {
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
      while read(pipe.fileHandleForReading.fileDescriptor, bytes.baseAddress, bytes.count) > 0 {}
    }.start()
  }
}
