import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `A file of records` {
  private let folder = TemporaryFolder()

  @Test func `gives back a record without bytes, and takes a negative count for damage`() throws {
    let path = folder.path("records")
    let texts = ["one", "", "two", ""]
    do {
      let file = try RecordFile.open(path).file
      for text in texts { try file.append(Array(text.utf8), isSynced: false) }
    }
    let damage = "0123456789abcdef -0000001 "
    try folder.write(folder.text("records") + damage + "\n", to: "records")
    let contents = try RecordFile.open(path).contents
    #expect(contents.records.map { String(decoding: $0, as: UTF8.self) } == texts)
    #expect(contents.damaged == [Array(damage.utf8)])
  }

  @Test func `is left as it is where a byte cannot be read`() throws {
    let text = "no record"
    try folder.write(text, to: "records")
    // A descriptor that may only write fails to read, as a disk with a bad sector does.
    let file = FileDescriptor(number: open(folder.path("records"), O_WRONLY))
    defer { file.close() }
    #expect(throws: SystemError(number: EBADF)) { try RecordFile.repairedContents(of: file) }
    #expect(throws: RingHeader.Fault.self) { try BufferFile.header.read(file, wanted: 65_536) }
    #expect(throws: BufferError.self) { try BufferVersion1(file, at: folder.path("records")) }
    #expect(try folder.text("records") == text)
  }
}
