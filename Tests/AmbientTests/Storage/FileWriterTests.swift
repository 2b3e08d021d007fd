// SPDX-License-Identifier: Apache-2.0

import CAmbient
import CHostile
import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Lines that a writer's thread cannot write out now. A test that loses lines runs in a process of its
/// own, since the thread of the writer reports that, too.
@Suite(.timeLimit(.minutes(30))) struct `Full log buffers` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  private func writer(_ whenFull: FileOptions.WhenFull) throws -> FileWriter {
    var options = FileOptions(whenFull: whenFull)
    options.firstLines = 0
    return FileWriter(
      path: path, options, nil, try OpenFile.open(path, nil), Failures(source: "Test"))
  }

  private func size() throws -> Int { try FileStatus(at: path).size }

  /// How many lines of 1,000 bytes are taken, each of which has 1,024 with its frame.
  private func fill(_ writer: FileWriter, _ importance: LineImportance) -> Int {
    var count = 0
    while count < 1_000, append(1_000, importance, to: writer) == nil { count += 1 }
    return count
  }

  @Test
  func `ordinary lines fill seven eighths of a log buffer, more important lines all of it`()
    async
  {
    await #expect(processExitsWith: .success) {
      Diagnostics.instance = Reports()
      try `Full log buffers`().fillUp()
    }
  }

  private func fillUp() throws {
    let writer = try writer(.drop)
    let hold = try Hold(writer)
    #expect(fill(writer, .ordinary) == 448)
    #expect(fill(writer, .important) == 64)
    #expect(append(1_000, .urgent, to: writer) == .full)
    #expect(withRing(of: path) { ambient_unsealed($0.pointee.ring.pointee.lost) } == 3)
    #expect(try size() == 0)
    hold.release()
    writer.flush()
    #expect(try size() == 512_000)
    #expect(append(1_000, .ordinary, to: writer) == nil)
    writer.end()
    #expect(try size() == 513_000)
  }

  @Test func `a line too long for the log buffer is written to the file after the buffered lines`()
    async
  {
    await #expect(processExitsWith: .success) {
      Diagnostics.instance = Reports()
      try `Full log buffers`().holdLongLines()
    }
  }

  private func holdLongLines() throws {
    let writer = try writer(.drop)
    // An eighth is not for this one.
    let (most, all) = (512 * 1_024 * 7 / 8 - RingFrame.headSize, 512 * 1_024 - RingFrame.headSize)
    var hold = try Hold(writer)
    #expect(append(10, .ordinary, to: writer) == nil)
    #expect(append(most, .ordinary, to: writer) == .full)
    #expect(append(all, .important, to: writer) == .full)
    hold.release()
    writer.flush()
    hold = try Hold(writer)
    #expect(append(most, .ordinary, to: writer) == nil)
    hold.release()
    writer.flush()
    #expect(try size() == 10 + most)
    for (length, importance) in [(most + 1, LineImportance.ordinary), (all + 1, .important)] {
      let before = try size()
      #expect(append(20, .ordinary, to: writer) == nil)
      #expect(append(length, importance, to: writer) == nil)
      // At once, and in order.
      #expect(try size() == before + 20 + length)
      let lines = try folder.text("shop.log").split(separator: "\n")
      #expect(lines.suffix(2).map { $0.utf8.count + 1 } == [20, length])
    }
    writer.end()
  }

  /// A frame may end at 2⁵¹ - 2⁴⁰ at most.
  @Test func `a log buffer's positions restart at zero once they exceed half their range`()
    throws
  {
    let writer = try writer(.drop)
    #expect(append(10, .ordinary, to: writer) == nil)
    writer.flush()
    let hold = try Hold(writer)
    #expect(withRing(of: path) { ambient_ring_place($0, 1 << 50, 1 << 50) } != nil)
    #expect(append(10, .ordinary, to: writer) == nil)
    #expect(withRing(of: path) { $0.pointee.end } == 1 << 50 + 40)
    hold.release()
    writer.flush()
    #expect(withRing(of: path) { $0.pointee.end } == 0)
    #expect(append(10, .ordinary, to: writer) == nil)
    writer.end()
    #expect(try size() == 30)
  }

  @Test func `if the option whenFull is wait, a line waits until the log buffer has room`() throws {
    let writer = try writer(.wait(atMost: Patience.long))
    let hold = try Hold(writer)
    for _ in 0..<448 { #expect(append(1_000, .ordinary, to: writer) == nil) }
    let outcome = Guarded<[SystemError?]>([])
    Thread.detachNewThread {
      let error = append(1_000, .ordinary, to: writer)
      outcome.withLock { $0.append(error) }
    }
    SystemThread.sleep(.milliseconds(10))
    #expect(outcome.withLock { $0.isEmpty })
    hold.release()
    #expect(Patience.wait { outcome.withLock { !$0.isEmpty } })
    #expect(outcome.withLock { $0 } == [nil])
    writer.end()
    #expect(try size() == 449_000)
  }

  @Test func `a line may wait for the longest Duration`() throws {
    let writer = try writer(.wait(atMost: Duration(attoseconds: .max)))
    let hold = try Hold(writer)
    for _ in 0..<448 { #expect(append(1_000, .ordinary, to: writer) == nil) }
    let begun = DispatchSemaphore(value: 0)
    let outcome = Guarded<[SystemError?]>([])
    Thread.detachNewThread {
      begun.signal()
      let error = append(1_000, .ordinary, to: writer)
      outcome.withLock { $0.append(error) }
    }
    begun.wait()
    SystemThread.sleep(.milliseconds(10))
    #expect(outcome.withLock { $0.isEmpty })
    hold.release()
    #expect(Patience.wait { outcome.withLock { $0 == [nil] } })
    writer.end()
  }

  @Test
  func `a line that waits too long for a full buffer is dropped, and later lines wait again`()
    async
  {
    await #expect(processExitsWith: .success) {
      Diagnostics.instance = Reports()
      try `Full log buffers`().waitInVain()
    }
  }

  private func waitInVain() throws {
    let writer = try writer(.wait(atMost: .milliseconds(100)))
    var hold = try Hold(writer)
    let outcomes = Guarded<[SystemError?]>([])
    func appendBeside() {
      let begun = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        begun.signal()
        let error = append(1_000, .ordinary, to: writer)
        outcomes.withLock { $0.append(error) }
      }
      #expect(begun.wait(timeout: .now() + 300) == .success)
    }
    for _ in 0..<448 { #expect(append(1_000, .ordinary, to: writer) == nil) }
    appendBeside()
    #expect(Patience.wait { outcomes.withLock { !$0.isEmpty } })
    #expect(outcomes.withLock { $0 } == [.full])
    #expect(withRing(of: path) { ambient_unsealed($0.pointee.ring.pointee.lost) } == 1)
    hold.release()
    writer.flush()
    // A busy machine may write later than a line waits, but not each time.
    for round in 1...100 where outcomes.withLock({ !$0.contains(nil) }) {
      hold = try Hold(writer)
      for _ in 0..<448 { #expect(append(1_000, .ordinary, to: writer) == nil) }
      appendBeside()
      SystemThread.sleep(.milliseconds(10))
      hold.release()
      #expect(Patience.wait { outcomes.withLock { $0.count > round } })
      writer.flush()
    }
    #expect(outcomes.withLock { $0.last } == .some(nil))
    writer.end()
  }

  @Test func `while a signal handler drains a log's buffer, flushing the log reports a failure`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = folder.path("shop.log")
      let reports = Reports()
      Diagnostics.instance = reports
      var options = FileOptions()
      options.firstLines = 0
      let failures = Failures(source: "Test")
      let writer = FileWriter(path: path, options, nil, try OpenFile.open(path, nil), failures)
      precondition(withRing(of: path) { ambient_drain_claim($0) } == true)
      precondition(append(10, .ordinary, to: writer) == nil)
      writer.flush()
      precondition(failures.isFailing)
      withRing(of: path) { ambient_drain_release($0) }
      writer.flush()
      // The writer's own thread may write the line, too.
      precondition(Patience.wait { reports.all.count == 2 })
      precondition(reports.all.map(\.kind) == [.writeFailed, .recovered])
      precondition(!failures.isFailing && failures.count == 0)
      let size = try FileStatus(at: path).size
      precondition(size == 10)
      writer.end()
    }
  }
}

/// When a log has a buffer, and which.
@Suite struct `Log buffer lifetime` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  private func sizes() throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(BufferFile.suffix) }.map { try FileStatus(at: folder.path($0)).size }
  }

  private func writer(_ survival: FileOptions.Survival) throws -> FileWriter {
    FileWriter(
      path: path, FileOptions(survives: survival), nil, try OpenFile.open(path, nil),
      Failures(source: "Test"))
  }

  private static let size = RingHeader.size + 512 * 1_024

  #if os(Linux)
    /// Calls `body` with the writer of a log for `.machine` whose fdatasync(2) fails. The calls of
    /// this whole process fail from then on.
    private static func withUnsynchronizableLog(
      _ body: (FileWriter, Failures, _ path: String) throws -> Void
    ) throws {
      let folder = TemporaryFolder()
      let path = folder.path("shop.log")
      var options = FileOptions(survives: .machine)
      options.firstLines = 0
      let failures = Failures(source: "Test")
      try Diagnostics.withInstance(.calling { _ in }) {
        let writer = FileWriter(path: path, options, nil, try OpenFile.open(path, nil), failures)
        precondition(hostile_fail_calls(Int32(SYS_fdatasync), EIO) == 0)
        try body(writer, failures, path)
      }
    }

    @Test func `a line too long for the buffer of a machine log is synchronized without a flush`()
      async
    {
      await #expect(processExitsWith: .success) {
        try Self.withUnsynchronizableLog { writer, failures, _ in
          precondition(append(600_000, .ordinary, to: writer) == nil)
          // Only a call of fdatasync(2) shows the failure.
          precondition(Patience.wait { failures.isFailing })
        }
      }
    }

    @Test func `an urgent log line is written at once even if the last fsync failed`() async {
      await #expect(processExitsWith: .success) {
        try Self.withUnsynchronizableLog { writer, failures, path in
          precondition(append(10, .ordinary, to: writer) == nil)
          precondition(Patience.wait { failures.isFailing })
          // The thread tries to synchronize once more a second later. After that, it waits without
          // a limit.
          SystemThread.sleep(.seconds(3))
          let size = { try? FileStatus(at: path).size }
          precondition(size() == 10)
          precondition(append(20, .urgent, to: writer) == nil)
          precondition(Patience.wait { size() == 30 })
        }
      }
    }
  #endif

  @Test func `a log creates its buffer at the 32nd line after each installation`() throws {
    let writer = try writer(.process)
    for _ in 1...2 {
      for _ in 1...31 { #expect(append(10, .ordinary, to: writer) == nil) }
      #expect(try sizes() == [])
      #expect(append(10, .ordinary, to: writer) == nil)
      #expect(try sizes() == [Self.size])
      // This line starts the thread.
      #expect(append(10, .ordinary, to: writer) == nil)
      writer.keep(while: nil)
      #expect(try sizes() == [])
      // A log that is no longer installed makes no buffer, even after its thread has ended.
      for _ in 1...100 {
        #expect(append(10, .ordinary, to: writer) == nil)
        SystemThread.sleep(.milliseconds(1))
      }
      #expect(try sizes() == [])
      writer.keep(while: .one)
    }
    #expect(try FileStatus(at: path).size == 2 * 133 * 10)
    writer.end()
  }

  @Test(arguments: [
    (FileOptions.Survival.machine, [size]), (.process, []), (.eachLine, []),
  ])
  func `only a log whose survives option is machine creates its buffer when it is opened`(
    _ survival: FileOptions.Survival, _ expected: [Int]
  ) throws {
    let writer = try writer(survival)
    #expect(try sizes() == expected)
    for _ in 1...2 { writer.keep(while: .one) }
    #expect(try sizes() == expected)
    writer.keep(while: nil)
    #expect(try sizes() == [])
    writer.keep(while: .one)
    #expect(try sizes() == expected)
    writer.end()
    #expect(try sizes() == [])
  }

  @Test func `if bufferFolder is a file, a log reports this once and still writes its lines`()
    throws
  {
    try folder.write("", to: "buffers")
    let reports = Reports()
    let log = try Diagnostics.withInstance(reports) {
      try FileLog(
        path: path, level: .info,
        file: FileOptions(.machine, bufferFolder: folder.path("buffers")))
    }
    for number in 1...3 {
      log.info("\(number)")
      #expect(try folder.text("shop.log").split(separator: "\n").count == number)
    }
    let place = FileSystem.absolute(folder.path("buffers"))
    #expect(reports.all.map(\.kind) == [.writeFailed] && log.lostRecords == 0)
    #expect(reports.messages.first?.contains("“\(place)”") == true, "\(reports.messages)")
  }

  @Test func `exit() writes the lines of a log's buffer to the log file and removes the buffer`()
    async throws
  {
    await #expect(processExitsWith: .success) { [path = path as String] in
      var options = FileOptions()
      options.firstLines = 0
      let log = try FileLog(path: path, level: .info, file: options)
      Log.instance = log
      for number in 1...3 { log.info("\(number)") }
      exit(0)
    }
    #expect(try folder.text("shop.log").split(separator: "\n").count == 3)
    #expect(try sizes() == [])
  }

  @Test func `a relative bufferFolder isn't affected by a later chdir`() async throws {
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      try #require(chdir(folder) == 0)
      var options = FileOptions(bufferFolder: "buffers")
      options.firstLines = 0
      let log = try FileLog(path: "logs/shop.log", level: .info, file: options)
      try #require(mkdir("elsewhere", 0o700) == 0 && chdir("elsewhere") == 0)
      for number in 1...3 { log.info("\(number)") }
      log.reopen()
      log.info("4")
      Log.instance = log
      exit(0)
    }
    #expect(try folder.text("logs/shop.log").split(separator: "\n").count == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("logs")).count <= 2)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("buffers"))
    #expect(left.filter { !$0.hasSuffix(".turn") } == [])
  }
}

#if os(Linux)
  @Suite struct `Logs without threads` {
    @Test
    func `if no thread can start, logging calls write lines themselves and retry failed ones`()
      async throws
    {
      let folder = TemporaryFolder()
      chmod(folder.path, 0o777)
      await #expect(processExitsWith: .success) { [path = folder.path("shop.log") as String] in
        await ResourceLimit.forbidThreads()
        var options = FileOptions()
        options.firstLines = 0
        let reports = Reports()
        Diagnostics.instance = reports
        let sink = try LineSink(path: path, options, source: "Test")
        func write(_ line: String, _ importance: LineImportance) -> String? {
          Array("\(line)\n".utf8).withUnsafeBytes { sink.write($0, importance) }
          let text = try? String(contentsOfFile: path, encoding: .utf8)
          return text?.split(separator: "\n").joined()
        }
        #expect(write("1", .ordinary) == "1" && write("2", .urgent) == "12")
        #expect(write("3", .urgent) == "123" && write("4", .important) == "1234")
        try #require(ResourceLimit.fileSize.set(8, most: 1 << 40))
        #expect(write("5", .urgent) == "1234" && write("6", .ordinary) == "1234")
        try #require(ResourceLimit.fileSize.set(1 << 40))
        #expect(write("7", .ordinary) == "1234567")
        #expect(write("8", .urgent) == "12345678" && write("9", .urgent) == "123456789")
        #expect(reports.all.map(\.kind) == [.writeFailed, .recovered])
        #expect(reports.all.last?.message == Failures.text(failed: 0) && sink.failures.count == 0)
      }
    }
  }
#endif

/// Appends a line of so many bytes.
private func append(
  _ length: Int, _ importance: LineImportance, to writer: FileWriter
) -> SystemError? {
  let line = [UInt8](repeating: UInt8(ascii: "x"), count: length - 1) + [UInt8(ascii: "\n")]
  let lost = writer.failures.count
  line.withUnsafeBytes { writer.write($0, importance) }
  return writer.failures.count > lost ? .full : nil
}

/// Holds the lock of a writer's file, so that no thread can write its lines out.
private final class Hold: Sendable {
  private let end = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(_ writer: FileWriter) throws {
    let begun = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [end, ended] in
      writer.whileFileIsHeld {
        begun.signal()
        end.wait()
      }
      ended.signal()
    }
    try #require(begun.wait(timeout: .now() + 300) == .success)
  }

  /// Lets the thread end also where a test stopped before it released it.
  deinit { end.signal() }

  func release() {
    end.signal()
    #expect(ended.wait(timeout: .now() + 300) == .success)
  }
}

/// Calls the body with the mapped buffer of the log at that path; returns nil if there is none.
@discardableResult
private func withRing<R>(
  of path: String, _ body: (UnsafeMutablePointer<ambient_mapping>) -> R
) -> R? {
  let buffers = (try? BufferFile(target: path, folder: nil).paths()) ?? []
  let files = buffers.compactMap(FileDescriptor.identity(at:))
  var next = ambient_mappings()
  // Valid: a record is never freed, and the log keeps its ring mapped.
  while let mapping = next {
    let record = mapping.pointee
    let file = FileDescriptor.Identity(device: record.device, file: record.file)
    let ring = UInt(bitPattern: record.ring)
    if ring != 0, ring != .max, files.contains(file) { return body(mapping) }
    next = record.next
  }
  return nil
}

extension Installations {
  /// The installations of a service that is installed once.
  fileprivate static var one: Installations {
    let installations = Installations()
    _ = installations.add(1, ofProcess: true)
    return installations
  }
}
