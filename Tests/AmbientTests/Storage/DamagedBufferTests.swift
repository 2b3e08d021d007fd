import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `A buffer that somebody has damaged` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  /// The bytes of a buffer with a hundred lines in it, of a writer that has died.
  private func buffer() throws -> [UInt8] {
    let (ring, place) = try BufferFile(target: path, folder: nil).make(capacity: 8_192)
    for number in 0..<100 {
      let isTaken = Array("line \(number)\n".utf8).withUnsafeBytes { ring.append($0, leaving: 0) }
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

  @Test func `as it was written gives its lines to the log`() throws {
    _ = try place(buffer())
    #expect(try FileLog.recover(path: path, permissions: 0o620) == 100)
    #expect(try folder.text("shop.log").split(separator: "\n").count == 100)
    let made = try FileManager.default.attributesOfItem(atPath: path)
    #expect(made[.posixPermissions] as? Int == 0o620)
    #expect(try FileLog.recover(path: path) == 0)
  }

  @Test func `never stops the program, wherever it is cut or changed`() throws {
    let whole = try buffer()
    for round in 0..<Thorough.damages {
      var bytes = whole
      // Half of them in the header, where it matters most.
      let place = Int.random(in: 0..<(round % 2 == 0 ? 512 : bytes.count))
      if round % 3 == 0 {
        bytes.removeSubrange(place...)
      } else {
        bytes[place] ^= 1 << UInt8.random(in: 0..<8)
      }
      let name = try self.place(bytes)
      do {
        try FileLog.recover(path: path)
      } catch {
        #expect("\(error)".contains(folder.path), "\(error)")
      }
      // No line is there that was never written, unless its own bytes were changed.
      let lines = ((try? folder.text("shop.log")) ?? "").split(separator: "\n")
      #expect(lines.count <= 100 && lines.count { !$0.hasPrefix("line ") } <= 2, "\(place)")
      for file in [name, "\(name).damaged", "shop.log"] {
        try? FileManager.default.removeItem(atPath: folder.path(file))
      }
    }
  }

  @Test func `is put aside, and said so once, when the log is opened`() throws {
    var bytes = try buffer()
    bytes[40] ^= 0xFF
    bytes[24] ^= 1
    let name = try place(bytes)
    let reports = Guarded<[String]>([])
    try Diagnostics.withInstance(
      .calling { diagnostic in reports.withLock { $0.append(diagnostic.message) } }
    ) {
      for _ in 0..<2 { _ = try FileLog(path: path, level: .info) }
    }
    let messages = reports.withLock { $0 }
    #expect(messages.count == 1 && messages.first?.contains("is damaged") == true, "\(messages)")
    #expect(FileManager.default.fileExists(atPath: folder.path("\(name).damaged")))
  }

  @Test func `is kept with the last few of its kind alone`() throws {
    var bytes = try buffer()
    bytes[24] ^= 1
    for number in 0..<10 {
      let name = ".ambient-\(BufferFile.hash(of: "shop.log"))-\(number % 7).buffer"
      bytes[1_000_000 % bytes.count] = UInt8(number)
      try Data(bytes).write(to: URL(filePath: folder.path(name)))
      try folder.setModified(name, "2026-11-\(10 + number)T12:00:00Z")
      let error = #expect(throws: BufferFault.self) { try FileLog.recover(path: path) }
      #expect(error?.description.contains("the last 4 are kept") == true)
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

  @Test func `of another version is left where it is`() throws {
    var bytes = try buffer()
    bytes[12] = 9
    let name = try place(bytes)
    #expect {
      try FileLog.recover(path: path)
    } throws: {
      "\($0)".contains("has version 9")
    }
    #expect(FileManager.default.fileExists(atPath: folder.path(name)))
  }

  @Test func `which is somebody else's file is left as it was, under another name`() throws {
    let name = try place([UInt8](repeating: 7, count: 10_000))
    #expect(throws: BufferFault.self) { try FileLog.recover(path: path) }
    #expect(
      FileManager.default.contents(atPath: folder.path("\(name).damaged"))?.count == 10_000)
  }
}
