// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation
internal import Synchronization

extension Suite {
  /// A file log beside the least that lines in a file could cost, the final drain included.
  static let fileLog = Suite(
    name: "file-log", abstract: "a file log beside copies into 64 KiB with a write for each"
  ) { bench in
    await reportLateAssignment()
    var cases = [
      FileCase("copies into 64 KiB, a write for each", floor: true) { FloorFile(path: $0) },
      FileCase("one write a line") { FloorFile(path: $0, room: 133) },
      FileCase("FileLog, text") { try LoggedFile(path: $0) { logOrder($0) } },
      FileCase("FileLog, JSON") { try LoggedFile(path: $0, .json) { logOrder($0) } },
      FileCase("FileLog, text and two values") { try LoggedFile(path: $0) { logTwo($0) } },
      FileCase("FileLog, each line at once") {
        try LoggedFile(path: $0, survives: .eachLine) { logOrder($0) }
      },
      FileCase("FileLog, which survives the machine") {
        try LoggedFile(path: $0, survives: .machine) { logOrder($0) }
      },
    ]
    // Its allocations are not counted.
    let spdlog = bench.mode == .brief ? nil : try SpdlogProgram.compiled()
    if let spdlog {
      cases += [
        FileCase("spdlog, buffered", program: spdlog, "buffered"),
        FileCase("spdlog, flushed line by line", program: spdlog, "flushed"),
      ]
    } else if bench.mode == .full {
      let line = "file-log: without spdlog: libspdlog-dev, or a C++ compiler, is not installed\n"
      FileHandle.standardError.write(Data(line.utf8))
    }
    for threads in [1, 2, 4, 8] {
      try await bench.measure(files: cases, threads: threads)
      try bench.measureCalls(threads: threads, spdlog)
    }
  }
}

/// Something that lines are given to, which stand in a file when it has finished.
protocol LineTarget: Sendable {
  func put(_ number: Int)
  func finish()
  /// Ends all work of the target before its files are removed.
  func end() async
}

extension LineTarget {
  func end() async {}
}

/// One way to write lines to a file.
struct FileCase: Sendable {
  let name: String
  let isFloor: Bool
  let way: Way

  enum Way: Sendable {
    /// Something of this program's.
    case target(@Sendable (_ path: String) throws -> any LineTarget)
    /// Another program, and what it is told.
    case program(SpdlogProgram, String)
  }

  init(
    _ name: String, floor isFloor: Bool = false,
    _ make: @escaping @Sendable (_ path: String) throws -> any LineTarget
  ) {
    self.name = name
    self.isFloor = isFloor
    way = .target(make)
  }

  init(_ name: String, program: SpdlogProgram, _ word: String) {
    self.name = name
    isFloor = false
    way = .program(program, word)
  }
}

/// Lines of 133 bytes, copied into a block behind a lock of the C library's, as spdlog has one,
/// which is written when it is full.
final class FloorFile: LineTarget, @unchecked Sendable {
  private let line = [UInt8](repeating: UInt8(ascii: "x"), count: 132) + [UInt8(ascii: "\n")]
  /// Guards `block` and `count`; freed with them in `deinit`.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let block: UnsafeMutableRawBufferPointer
  private var count = 0
  private let file: Int32

  init(path: String, room: Int = 65_536) {
    file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    block = .allocate(byteCount: room, alignment: 8)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    close(file)
    pthread_mutex_destroy(lock)
    lock.deallocate()
    block.deallocate()
  }

  func put(_ number: Int) {
    pthread_mutex_lock(lock)
    if count + line.count > block.count { writeOut() }
    line.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: block[count...]).copyMemory(from: $0)
    }
    count += line.count
    pthread_mutex_unlock(lock)
  }

  private func writeOut() {
    _ = write(file, block.baseAddress, count)
    count = 0
  }

  func finish() {
    pthread_mutex_lock(lock)
    writeOut()
    pthread_mutex_unlock(lock)
  }
}

/// Lines of a ``FileLog`` that is the process's.
final class LoggedFile: LineTarget {
  private let log: FileLog
  private let call: @Sendable (Int) -> Void

  init(
    path: String, _ format: LogFormat = .text, survives: FileOptions.Survival = .process,
    _ call: @escaping @Sendable (Int) -> Void
  ) throws {
    // Dropped lines would cost nothing.
    var options = FileOptions(survives: survives)
    options.whenFull = .wait(atMost: .seconds(60))
    log = try FileLog(path: path, level: .info, format: format, file: options)
    self.call = call
    Log.instance = log
  }

  func put(_ number: Int) { call(number) }

  func finish() { log.flush() }
}
