import Foundation
import TestSupport
import Testing

@testable import Ambient

/// People who find a buffer read in its header which log it belongs to.
@Suite struct `The file of a buffer` {
  private let folder = TemporaryFolder()

  /// Whether the header of the buffer at `path` has that text between zeros.
  private func isHeader(of path: String, with text: String) throws -> Bool {
    let bytes = try #require(FileManager.default.contents(atPath: path))
    return bytes.prefix(RingHeader.size).range(of: Data("\0\(text)\0".utf8)) != nil
  }

  @Test(arguments: [nil, "buffers"])
  func `names its log's file in full, beside it or elsewhere, and so does the one that replaces it`(
    place: String?
  ) throws {
    let log = folder.path("shop.log")
    if let place { try folder.makeFolder(place) }
    let file = BufferFile(target: log, folder: place.map { folder.path($0) })
    let (lines, path) = try file.make(capacity: 8_192)
    #expect(try isHeader(of: path, with: log))
    try FileManager.default.removeItem(atPath: path)
    try #require(lines.claim())
    try file.renew(lines, in: BufferFile.successor(of: path, 8_192), at: path, lost: 0)
    lines.release()
    #expect(try isHeader(of: path, with: log))
  }

  @Test func `of a file log names the absolute path of that file`() throws {
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
}
