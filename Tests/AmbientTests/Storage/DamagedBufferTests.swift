// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite(.timeLimit(.minutes(30))) struct `Damaged log buffers` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  /// The bytes of a buffer with a hundred lines in it, of a writer that has died.
  private func buffer() throws -> [UInt8] {
    let (lines, place) = try BufferFile(target: path, folder: nil).make(capacity: 8_192)
    for number in 0..<100 {
      let isTaken = Array("line \(number)\n".utf8).withUnsafeBytes { lines.ring.append($0) }
      #expect(isTaken != nil)
    }
    defer { try? FileManager.default.removeItem(atPath: place) }
    return try Array(#require(FileManager.default.contents(atPath: place)))
  }

  private func place(_ bytes: some Sequence<UInt8>) throws -> String {
    let name = ".ambient-\(BufferFile.hash(of: "shop.log"))-1.buffer"
    try Data(bytes).write(to: URL(filePath: folder.path(name)))
    return name
  }

  @Test(.quiet) func `the lines of an intact log buffer are recovered without a report`() throws {
    _ = try place(buffer())
    try folder.write("of none", to: ".ambient-\(BufferFile.hash(of: "shop.log"))-2.other")
    try folder.write("of another", to: ".ambient-\(BufferFile.hash(of: "a.log"))-3.buffer")
    #expect(try FileLog.recover(path: path, permissions: 0o620) == 100)
    #expect(try folder.text("shop.log").split(separator: "\n").count == 100)
    let made = try FileManager.default.attributesOfItem(atPath: path)
    #expect(made[.posixPermissions] as? Int == 0o620)
    #expect(try FileLog.recover(path: path) == 0)
    #expect(Test.reports.isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.count { $0.hasSuffix("-2.other") || $0.hasSuffix("-3.buffer") } == 2)
  }

  private static let texts = (0..<100).map { "line \($0)" }

  /// Where in the file each line stands, with its frame.
  private static let places = {
    var start = RingHeader.size
    return texts.map { text in
      defer { start += RingFrame.size(of: text.utf8.count + 1) }
      return start..<start + RingFrame.headSize + text.utf8.count + 1
    }
  }()

  /// Recovers damaged bytes, of which `hit` are not what was written, and checks what is in the log.
  ///
  /// - Parameter known: What the log had before: of these lines none may be there twice.
  private func recover(_ bytes: [UInt8], _ hit: Range<Int>, known: String = "") throws {
    let name = try place(bytes)
    try folder.write(known, to: "shop.log")
    var reason = ""
    do {
      try FileLog.recover(path: path)
    } catch {
      reason = error.description
      #expect(reason.contains(folder.path), "\(reason)")
    }
    let found = try folder.text("shop.log").split(separator: "\n").map(String.init)
    let intact = zip(Self.texts, Self.places).filter { !$1.overlaps(hit) }.map(\.0)
    #expect(Set(found).isSubset(of: Self.texts) && Set(found).count == found.count, "\(hit)")
    #expect(Set(intact).isSubset(of: found), "\(hit): \(reason)")
    #expect(found.count == 100 || reason.contains("is damaged"), "\(hit): \(reason)")
    for file in [name, "\(name).damaged"] {
      try? FileManager.default.removeItem(atPath: folder.path(file))
    }
  }

  @Test func `recovery writes every intact line of a damaged or truncated log buffer to the log`()
    throws
  {
    let whole = try buffer()
    for round in 0..<TestRun.rounds(60, all: 500, full: 2_000) {
      var bytes = whole
      // A third of them in the header, and as many among the lines.
      let range = [0..<512, RingHeader.size..<RingHeader.size + 4_000, 0..<bytes.count][round % 3]
      let place = Int.random(in: range)
      if round % 4 == 0, place > 0 {
        bytes.removeSubrange(place...)
        try recover(bytes, place..<whole.count)
      } else {
        bytes[place] ^= UInt8.random(in: 1 ... .max)
        try recover(bytes, place..<place + 1)
      }
    }
  }

  @Test func `recovery writes every line of a log buffer that isn't on a zeroed page`() throws {
    let whole = try buffer()
    for _ in 0..<TestRun.rounds(15, all: 125, full: 500) {
      var bytes = whole
      // Of 512 bytes, too, since disks lose such; half of them where lines and counts are.
      let size = [512, 4_096].randomElement()!
      let pages = [0, RingHeader.size / size] + (0..<bytes.count / size)
      let start = pages.randomElement()! * size
      for place in start..<start + size { bytes[place] = 0 }
      try recover(bytes, start..<start + size)
    }
  }

  /// After a loss of power, a page may be what it was some time before.
  @Test func `recovery writes every line of a log buffer that isn't on a page with old content`()
    throws
  {
    let (lines, name) = try BufferFile(target: path, folder: nil).make(capacity: 8_192)
    var files: [[UInt8]] = []
    for number in 0..<100 {
      if number % 10 == 0 {
        files.append(try Array(#require(FileManager.default.contents(atPath: name))))
      }
      _ = Array("line \(number)\n".utf8).withUnsafeBytes { lines.ring.append($0) }
    }
    files.append(try Array(#require(FileManager.default.contents(atPath: name))))
    try FileManager.default.removeItem(atPath: name)
    for _ in 0..<TestRun.rounds(15, all: 125, full: 500) {
      var bytes = files[10]
      let start = [0, RingHeader.size].randomElement()!
      let old = files.randomElement()!
      for place in start..<start + 4_096 { bytes[place] = old[place] }
      let changed = bytes.indices.filter { bytes[$0] != files[10][$0] && $0 >= RingHeader.size }
      try recover(bytes, (changed.first ?? 0)..<(changed.last.map { $0 + 1 } ?? 0))
    }
  }

  @Test
  func `if a log buffer's header page is zeroed, recovery repeats no line of the log`()
    throws
  {
    var bytes = try buffer()
    for place in 0..<4_096 { bytes[place] = 0 }
    for known in [0, 1, 60, 99] {
      let lines = Self.texts[..<known].map { "\($0)\n" }.joined()
      try recover(bytes, 0..<4_096, known: lines)
    }
  }

  @Test func `opening a log renames its damaged buffer file and reports the damage once`() throws {
    var bytes = try buffer()
    bytes[Self.places[7].upperBound - 2] ^= 1
    let name = try place(bytes)
    let reports = Reports()
    try Diagnostics.withInstance(reports) {
      for _ in 0..<2 { _ = try FileLog(path: path, level: .info) }
    }
    let messages = reports.messages
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.contains("\(name)”") == true)
    #expect(try folder.text("shop.log").split(separator: "\n").count == 99)
    #expect(FileManager.default.fileExists(atPath: folder.path("\(name).damaged")))
  }

  @Test func `opening a log reports how many lines its earlier, killed writer had dropped`() throws
  {
    let (lines, name) = try BufferFile(target: path, folder: nil).make(capacity: 8_192)
    _ = Array("line 0\n".utf8).withUnsafeBytes { lines.ring.append($0) }
    lines.note(lost: 1_204)
    let bytes = try Array(#require(FileManager.default.contents(atPath: name)))
    try FileManager.default.removeItem(atPath: name)
    _ = try place(bytes)
    let reports = Reports()
    let log = try Diagnostics.withInstance(reports) { try FileLog(path: path, level: .info) }
    log.flush()
    #expect(reports.messages == [BufferRecovery.text(ofLoss: 1_204)])
    let text = try folder.text("shop.log")
    #expect(text.hasPrefix("line 0\n") && text.contains(" lost=1204"))
    #expect(log.lostRecords == 0)
  }

  @Test func `recovery keeps only the four latest damaged log buffers`() throws {
    var bytes = try buffer()
    bytes[Self.places[0].lowerBound] ^= 1
    for number in 0..<10 {
      let name = ".ambient-\(BufferFile.hash(of: "shop.log"))-\(number % 7).buffer"
      bytes[1_000_000 % bytes.count] = UInt8(number)
      try Data(bytes).write(to: URL(filePath: folder.path(name)))
      try folder.setModified(name, "2026-11-\(10 + number)T12:00:00Z")
      let error = #expect(throws: BufferError.self) { try FileLog.recover(path: path) }
      #expect(error?.code == .damaged && error?.path.hasSuffix(name) == true)
      #expect(!FileSystem.exists(folder.path(name)))
    }
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".damaged")
    }
    let numbers = try kept.map {
      try Data(contentsOf: URL(filePath: folder.path($0)))[1_000_000 % bytes.count]
    }
    #expect(numbers.sorted() == [6, 7, 8, 9])
  }

  @Test func `recovery leaves a log buffer of an unknown format version in place`() throws {
    let header = RingHeader(
      magic: Array("AmbLines".utf8), version: 9, capacities: 8_192...8_192)
    let name = try place([UInt8](repeating: 0, count: RingHeader.size + 8_192))
    let file = try FileDescriptor.existing(folder.path(name), toWrite: true)
    defer { file.close() }
    try header.write(to: file, capacity: 8_192)
    let error = #expect(throws: BufferError.self) { try FileLog.recover(path: path) }
    #expect(error?.code == .unreadable && error?.description.contains("format 9") == true)
    #expect(FileManager.default.fileExists(atPath: folder.path(name)))
  }

  @Test func `while a log can't be written, recovery leaves its intact buffer in place`() throws {
    let name = try place(buffer())
    try folder.makeFolder("shop.log")
    let error = #expect(throws: BufferError.self) { try FileLog.recover(path: path) }
    #expect(error?.code == .unwritten)
    #expect(error?.path == FileSystem.absolute(folder.path(name)))
    #expect(error?.description.contains("“\(FileSystem.absolute(path))”") == true)
    try FileManager.default.removeItem(atPath: path)
    #expect(try FileLog.recover(path: path) == 100)
  }

  @Test func `recovery leaves a log buffer with a second hard link in place`() throws {
    let name = try place(buffer())
    try FileManager.default.linkItem(
      atPath: folder.path(name), toPath: folder.path("another name"))
    #expect(throws: BufferError.foreign(path: FileSystem.absolute(folder.path(name)))) {
      try FileLog.recover(path: path)
    }
    try FileManager.default.removeItem(atPath: folder.path("another name"))
    #expect(try FileLog.recover(path: path) == 100)
  }

  @Test func `recovery renames an invalid file with a log buffer's name and keeps its content`()
    throws
  {
    let name = try place([UInt8](repeating: 7, count: 10_000))
    #expect(throws: BufferError.self) { try FileLog.recover(path: path) }
    #expect(
      FileManager.default.contents(atPath: folder.path("\(name).damaged"))?.count == 10_000)
  }
}

@Suite struct `Truncated log buffers` {
  /// A lost page would end the program then.
  @Test func `even if survivesLostPages is false, a truncated log buffer's lines are recovered`()
    async
  {
    await #expect(processExitsWith: .success) {
      FileLog.survivesLostPages = false
      Diagnostics.instance = .calling { _ in }
      let folder = TemporaryFolder()
      let path = folder.path("shop.log")
      let (lines, place) = try BufferFile(target: path, folder: nil).make(capacity: 65_536)
      for number in 0..<1_000 {
        _ = Array("\(number)\n".utf8).withUnsafeBytes { lines.ring.append($0) }
      }
      // The lines of the first page are left, of 32 bytes each with their frames.
      let bytes = try #require(FileManager.default.contents(atPath: place))
      try FileManager.default.removeItem(atPath: place)
      try bytes.prefix(RingHeader.size + 4_096).write(to: URL(filePath: place))
      #expect(throws: BufferError.self) { try FileLog.recover(path: path) }
      let found = try folder.text("shop.log").split(separator: "\n")
      #expect(found.count == 4_096 / 32)
      withExtendedLifetime(lines) {}
    }
  }
}
