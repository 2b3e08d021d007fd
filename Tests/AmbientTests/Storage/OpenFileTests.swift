// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// The open file of a log, of which one line after the other is written.
@Suite struct `Open log files` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }
  private var lock: String { folder.path(".ambient-\(BufferFile.hash(of: "shop.log")).turn") }

  private func open(_ rotator: Rotator? = nil) throws -> WrittenFile {
    try WrittenFile(path, rotator)
  }

  private func append(_ text: String) throws {
    let other = try FileDescriptor.appending(to: path)
    try Array(text.utf8).withUnsafeBytes { try other.writeAll($0) }
    other.close()
  }

  @Test func `a log file's writer lock is created only after an incomplete line was found`() throws
  {
    try append("whole\n")
    let file = try open()
    #expect(file.write("one\n") == nil)
    #expect(!FileSystem.exists(lock))
    try append("hal")
    try file.reopen()
    #expect(file.write("two\n") == nil)
    #expect(FileSystem.exists(lock))
    #expect(try folder.text("shop.log") == "whole\none\nhal\ntwo\n")
  }

  @Test func `a reopened log ends an incomplete line even if the new file is as long as the old`()
    throws
  {
    let file = try open()
    for _ in 1...2 {
      #expect(file.write("one\n") == nil)
      try FileManager.default.removeItem(atPath: path)
      try append("half")
      try file.reopen()
    }
    #expect(file.write("two\n") == nil)
    #expect(try folder.text("shop.log") == "half\ntwo\n")
  }

  @Test func `a closed OpenFile opens its file for each line and ends an incomplete line first`()
    throws
  {
    let file = try open()
    #expect(file.write("one\n") == nil)
    file.close()
    #expect(!file.isOpen)
    #expect(file.write("two\n") == nil)
    try append("half")
    #expect(file.write("three\n") == nil)
    #expect(!file.isOpen)
    #expect(try folder.text("shop.log") == "one\ntwo\nhalf\nthree\n")
    try FileManager.default.removeItem(atPath: path)
    try folder.makeFolder("shop.log")
    #expect(file.write("four\n") != nil)
    #expect(throws: SystemError.self) { try file.reopen() }
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    let reader = FileDescriptor(number: Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    #expect(file.write("five\n") == .inTheWay)
    reader.close()
    try FileManager.default.removeItem(atPath: path)
    try file.reopen()
    #expect(file.write("six\n") == nil)
    #expect(try folder.text("shop.log") == "six\n")
  }

  @Test func `a log file isn't rotated while another process holds the log's writer lock`() throws {
    let now = Date()
    let rotator = Rotator(
      path: path, .size(2), mode: 0o644, now: now, source: "Test", pause: .zero)
    let file = try open(rotator)
    var outcomes: [RotationOutcome?] = []
    func write(_ line: String) {
      #expect(file.write(line, now) == nil)
      outcomes.append(file.takeRotation())
    }
    write("1\n")
    write("2\n")
    let peer = FileDescriptor(number: Foundation.open(lock, O_WRONLY | O_CLOEXEC))
    try #require(peer.number >= 0 && flock(peer.number, LOCK_EX | LOCK_NB) == 0)
    write("3\n")
    flock(peer.number, LOCK_UN)
    peer.close()
    write("4\n")
    let rotated = RotationOutcome.rotated(to: path + ".1", nil)
    #expect(outcomes == [nil, rotated, nil, rotated])
    let texts = try ["shop.log.2", "shop.log.1", "shop.log"].map { try folder.text($0) }
    #expect(texts == ["1\n", "2\n3\n", "4\n"])
  }

  @Test
  func `after a log file's rename, OpenFile drain() waits until a new file is created`()
    async throws
  {
    let outcome = Guarded<Result<SystemError?, any Error>?>(nil)
    let (path, isLocked) = (path, lock)
    Thread.detachNewThread {
      let result = Result {
        var file = OpenFile(
          path: path, FileOptions(), try OpenFile.open(path, nil), grace: Patience.long)
        let lines = try BufferFile(target: path, folder: nil).make(capacity: 65_536).lines
        _ = Array("one\n".utf8).withUnsafeBytes { lines.ring.append($0) }
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        return file.drain(lines, until: lines.ring.end, nil).error
      }
      outcome.withLock { $0 = result }
    }
    #expect(await Patience.waitIdly { FileSystem.exists(isLocked) })
    // Time for a mistake.
    try await Task.sleep(for: .milliseconds(20))
    let next = FileDescriptor(
      number: Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    #expect(next.number >= 0)
    next.close()
    #expect(await Patience.waitIdly { outcome.withLock { $0 != nil } })
    #expect(try outcome.withLock { $0 }?.get() == .some(nil))
    #expect(try folder.text("shop.log") == "one\n")
  }

  @Test(
    arguments: [
      (0o600, 0o600, nil), (0o640, 0o600, "640"), (0o4600, 0o600, "4600"),
    ] as [(mode_t, UInt16, String?)])
  func `an existing log file is reported only if its permissions aren't the requested ones`(
    _ mode: mode_t, _ wanted: UInt16, _ shown: String?
  ) throws {
    try append("")
    chmod(path, mode)
    let file = try FileDescriptor.appending(to: path)
    defer { file.close() }
    #expect(OpenFile.oddity(of: file, path, nil) == nil)
    let text = OpenFile.oddity(of: file, path, wanted)
    #expect((text == nil) == (shown == nil))
    if let shown { #expect(text?.contains(" \(shown). ") == true) }
  }
}

private final class WrittenFile {
  private var file: OpenFile

  init(_ path: String, _ rotator: Rotator? = nil) throws {
    file = OpenFile(
      path: path, FileOptions(survives: .eachLine), try OpenFile.open(path, nil), rotator,
      grace: .zero)
  }

  var isOpen: Bool { file.descriptor != nil }

  func write(_ line: String, _ now: Date? = nil) -> SystemError? {
    Array(line.utf8).withUnsafeBytes { file.write($0, now) }
  }

  func reopen() throws { try file.reopen() }

  func close() { file.close() }

  func takeRotation() -> RotationOutcome? { file.takeNews().rotation }
}

/// A limit on the size of files stands for a full disk.
@Suite struct `Logs at a file size limit` {
  @Test func `if its file can't grow, a log fills its buffer and counts the lines that don't fit`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      var options = FileOptions(whenFull: .wait(atMost: Patience.long))
      options.firstLines = 0
      let reports = Reports()
      // The log's thread reports, too.
      Diagnostics.instance = reports
      let sink = try LineSink(path: folder.path("shop.log"), options, source: "Test")
      sink.file?.tellLoss { Array("\($0) lost\n".utf8) }
      // The first line is cut there.
      try #require(ResourceLimit.fileSize.set(500, most: 1 << 40))
      func write(_ count: Int, _ importance: LineImportance) {
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 999) + [UInt8(ascii: "\n")]
        for _ in 0..<count { line.withUnsafeBytes { sink.write($0, importance) } }
      }
      write(1, .ordinary)
      sink.flush()
      let failure = FileWriter.text(ofFailure: SystemError(number: EFBIG))
      #expect(reports.all.map(\.message) == [failure])
      write(447, .ordinary)
      #expect(sink.failures.count == 0)
      // None waits in vain, since nothing can be written.
      write(1, .ordinary)
      #expect(sink.failures.count == 1)
      write(64, .important)
      #expect(sink.failures.count == 1)
      try #require(ResourceLimit.fileSize.set(1 << 40))
      sink.flush()
      sink.flush()
      #expect(reports.all.map(\.message) == [failure, Failures.text(failed: 1)])
      #expect(reports.all.map(\.kind) == [.writeFailed, .recovered])
      let text = try folder.text("shop.log")
      #expect(text.utf8.count == 512_007 && text.hasSuffix("x\n1 lost\n"))
      #expect(text.split(separator: "\n").dropLast().allSatisfy { $0.utf8.count == 999 })
      #expect(!sink.failures.isFailing)
      write(1, .urgent)
      #expect(Patience.wait { (try? folder.text("shop.log").utf8.count) == 513_007 })
    }
  }

  @Test func `after a partly written line, a log starts a new line and logs how many were lost`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let reports = Reports()
      Diagnostics.instance = reports
      for (round, survival) in [FileOptions.Survival.eachLine, .process].enumerated() {
        let name = "\(round).log"
        let sink = try LineSink(
          path: folder.path(name), FileOptions(survives: survival), source: "Test")
        sink.file?.tellLoss { Array("\($0) lost\n".utf8) }
        func write(_ line: String) {
          Array(line.utf8).withUnsafeBytes { sink.write($0, .ordinary) }
        }
        try #require(ResourceLimit.fileSize.set(5, most: 1 << 40))
        write("one\n")
        write("two\n")
        write("three\n")
        #expect(sink.failures.count == 2)
        try #require(ResourceLimit.fileSize.set(1 << 40))
        write("four\n")
        write("five\n")
        #expect(try folder.text(name) == "one\nt\nfour\n2 lost\nfive\n")
        #expect(
          reports.all.dropFirst(2 * round).map(\.message) == [
            Failures.text(ofLoss: SystemError(number: EFBIG), full: ""), Failures.text(failed: 2),
          ])
      }
    }
  }

  @Test func `after failed writes, lines stay whole even in a log file that can't be read`()
    async throws
  {
    let folder = TemporaryFolder()
    chmod(folder.path, 0o777)
    let path = folder.path("shop.log")
    await #expect(processExitsWith: .success) { [path = path as String] in
      // Root may read everything: this process goes on as nobody.
      if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let made = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o200)
      // Whether it ends with a line cannot be read, either.
      try #require(made >= 0 && write(made, "zero\n", 5) == 5)
      close(made)
      let file = try WrittenFile(path)
      WriteSignals.surviveSizeLimit()
      #expect(file.write("one\n") == nil)
      try file.reopen()
      #expect(file.write("two\n") == nil)
      try #require(ResourceLimit.fileSize.set(16, most: 1 << 40))
      #expect(file.write("three\n") == SystemError(number: EFBIG))
      try #require(ResourceLimit.fileSize.set(1 << 40))
      #expect(file.write("four\n") == nil)
      // Of this one, nothing is written.
      try #require(ResourceLimit.fileSize.set(22, most: 1 << 40))
      #expect(file.write("lost\n") == SystemError(number: EFBIG))
      try #require(ResourceLimit.fileSize.set(1 << 40))
      #expect(file.write("five\n") == nil)
      // What ended that line is not written once more.
      try file.reopen()
      #expect(file.write("six\n") == nil)
    }
    chmod(path, 0o600)
    #expect(try folder.text("shop.log") == "zero\none\ntwo\nthr\nfour\nfive\nsix\n")
  }
}
