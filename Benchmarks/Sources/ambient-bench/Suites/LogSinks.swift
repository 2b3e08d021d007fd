// SPDX-License-Identifier: Apache-2.0

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

/// A pipe with room for a round's lines (64 KiB), which is emptied between rounds: a reader on a
/// thread of its own would be measured, too, whenever it has to be woken.
final class RoomyPipe: Sendable {
  let writing: Int32
  private let reading: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CocoaError(.fileWriteUnknown) }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Takes out what is there.
  func drain() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { bytes in
      var waiting = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      while poll(&waiting, 1, 0) == 1 { _ = read(reading, bytes.baseAddress, bytes.count) }
    }
  }
}
