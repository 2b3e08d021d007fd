// SPDX-License-Identifier: Apache-2.0

import CAmbient
import Foundation
import TestSupport
import Testing

@testable import Ambient

/// People who find a buffer read in its header which log it belongs to.
@Suite struct `Log buffer files` {
  private let folder = TemporaryFolder()

  /// Whether the header of the buffer at `path` has that text between zeros.
  private func isHeader(of path: String, with text: String) throws -> Bool {
    let bytes = try #require(FileManager.default.contents(atPath: path))
    return bytes.prefix(RingHeader.size).range(of: Data("\0\(text)\0".utf8)) != nil
  }

  @Test func `BufferFile hash() returns the 64-bit FNV-1a hash of a log's name`() {
    #expect(BufferFile.hash(of: "") == "cbf29ce484222325")
    #expect(BufferFile.hash(of: "a") == "af63dc4c8601ec8c")
  }

  @Test(arguments: [nil, "buffers"])
  func `a log buffer's header contains the log's path, also after the buffer is replaced`(
    place: String?
  ) throws {
    let log = folder.path("shop.log")
    if let place { try folder.makeFolder(place) }
    let file = BufferFile(target: log, folder: place.map { folder.path($0) })
    let (lines, path) = try file.make(capacity: 8_192)
    #expect(try isHeader(of: path, with: log))
    try FileManager.default.removeItem(atPath: path)
    try #require(lines.claim())
    try file.renew(lines, in: MappedRing.successor(of: path, 8_192), at: path, lost: 0)
    lines.release()
    #expect(try isHeader(of: path, with: log))
  }

  @Test func `if reading a log buffer's file fails, the file stays unchanged`() throws {
    try folder.write("no buffer", to: "buffer")
    // A descriptor that may only write fails to read, as a disk with a bad sector does.
    let file = FileDescriptor(number: open(folder.path("buffer"), O_WRONLY))
    defer { file.close() }
    #expect(throws: RingHeader.Fault.self) { try BufferFile.header.read(file, wanted: 65_536) }
    #expect(try folder.text("buffer") == "no buffer")
  }

  @Test func `a FileLog's buffer header contains the log's absolute path`() throws {
    let buffers = folder.path("buffers")
    var options = FileOptions(bufferFolder: buffers)
    options.firstLines = 0
    let log = try FileLog(path: "\(folder.path)/./shop.log", level: .info, file: options)
    let names = try FileManager.default.contentsOfDirectory(atPath: buffers)
    let name = try #require(names.first { $0.hasSuffix(BufferFile.suffix) })
    let path = FileSystem.absolute(folder.path("shop.log"))
    #expect(try isHeader(of: "\(buffers)/\(name)", with: path))
    withExtendedLifetime(log) {}
  }

  @Test
  func `a new log buffer takes over the lines, write intent and loss count of a removed one`()
    throws
  {
    let log = folder.path("shop.log")
    try folder.write("", to: "shop.log")
    let file = BufferFile(target: log, folder: nil)
    let (lines, path) = try file.make(capacity: 8_192)
    for number in 1...3 {
      _ = Array("line \(number)\n".utf8).withUnsafeBytes { lines.ring.append($0) }
    }
    lines.ring.remove(before: 32, lines: 1)
    lines.intend(.init(device: 1, file: 2), size: 3, from: 32, until: 64)
    let ring = try #require(FileManager.default.contents(atPath: path)).dropFirst(RingHeader.size)
    #expect(BufferFile.trouble(of: lines, at: path) == nil)
    try FileManager.default.removeItem(atPath: path)
    #expect(BufferFile.trouble(of: lines, at: path) == BufferFile.text(of: .removed, path))
    try #require(lines.claim())
    try file.renew(lines, in: MappedRing.successor(of: path, 8_192), at: path, lost: 5)
    lines.release()
    #expect(BufferFile.trouble(of: lines, at: path) == nil)
    let bytes = try #require(FileManager.default.contents(atPath: path))
    #expect(bytes.dropFirst(RingHeader.size) == ring && ring.count == 8_192)
    let header = bytes.withUnsafeBytes { $0.loadUnaligned(as: ambient_ring.self) }
    #expect(ambient_unsealed(header.lost) == 5 && header.intent.isIntact)
    #expect(header.intent.until == 64 && header.intent.identity == .init(device: 1, file: 2))
    // In bytes divided by eight, twice each.
    let counts = [header.drained, header.drained_again, header.committed, header.committed_again]
    #expect(counts.map(ambient_unsealed) == [4, 4, 12, 12])
    // Its lines go there now.
    _ = Array("line 4\n".utf8).withUnsafeBytes { lines.ring.append($0) }
    #expect(lines.count == 3 && lines.ring.start == 32 && lines.ring.end == 128)
    let later = try #require(FileManager.default.contents(atPath: path))
    #expect(later.range(of: Data("line 4\n".utf8)) != nil)
    #expect(!FileSystem.exists("\(path).new"))
    try #require(truncate(path, 0) == 0)
    #expect(BufferFile.trouble(of: lines, at: path)?.contains("“\(path)”") == true)
  }
}
