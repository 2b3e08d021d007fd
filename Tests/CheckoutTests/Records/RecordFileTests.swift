// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient
@testable import Checkout

@Suite struct `Record files` {
  private let folder = TemporaryFolder()

  @Test func `a record file returns empty records, and reports a negative length as damage`() throws
  {
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

  @Test func `a record file with a read error is left unchanged`() throws {
    let text = "no record"
    try folder.write(text, to: "records")
    // A descriptor that may only write fails to read, as a disk with a bad sector does.
    let file = FileDescriptor(number: open(folder.path("records"), O_WRONLY))
    defer { file.close() }
    #expect(throws: SystemError(number: EBADF)) { try RecordFile.repairedContents(of: file) }
    #expect(try folder.text("records") == text)
  }

  @Test func `each record of a record file is a line of checksum, length and bytes`()
    throws
  {
    let path = folder.path("records")
    let file = try RecordFile.open(path).file
    #expect(file.size == 0 && file.path == path)
    try file.append(Array("eleven bytes".utf8), isSynced: true)
    let text = try folder.text("records")
    #expect(text.wholeMatch(of: /[0-9a-f]{16} 0000000c eleven bytes\n/) != nil)
    #expect(file.size == text.utf8.count)
    #expect(throws: SystemError.inUse) { _ = try RecordFile.open(path) }
    try file.replace(by: [[], Array("one".utf8)])
    try file.append(Array("two".utf8), isSynced: false)
    #expect(try folder.text("records").utf8.count == file.size)
    #expect(file.size == 3 * 27 + 6)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    withExtendedLifetime(file) {}
  }

  @Test func `a record file still works after other code has closed its descriptor`()
    async throws
  {
    try folder.write("mine", to: "database")
    await #expect(processExitsWith: .success) {
      [path = folder.path("records") as String, database = folder.path("database") as String] in
      let file = try RecordFile.open(path).file
      let numbers = { (512..<1_024).filter { fcntl($0, F_GETFD) >= 0 }.map { CInt($0) } }
      try file.append(Array("one".utf8), isSynced: true)
      for number in numbers() { close(number) }
      try file.append(Array("two".utf8), isSynced: true)
      let own = open(database, O_RDWR)
      for number in numbers() { dup2(own, number) }
      try file.append(Array("three".utf8), isSynced: true)
      try file.replace(by: [Array("one to three".utf8)])
      for number in numbers() { dup2(own, number) }
      try file.append(Array("four".utf8), isSynced: false)
    }
    #expect(try folder.text("database") == "mine")
    let records = try RecordFile.open(folder.path("records")).contents.records
    #expect(records.map { String(decoding: $0, as: UTF8.self) } == ["one to three", "four"])
  }

  @Test(arguments: ["~", "~/s", "$HOME/s", "file:///s", "a\0b"])
  func `a shop or basket path with a tilde, variable, URL or null byte is refused`(
    _ path: String
  ) async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      let folder = TemporaryFolder()
      try #require(chdir(folder.path) == 0)
      let (advice, shop) = (try #require(SystemError.fault(of: path)), try Shop.example())
      for attempt in [
        { _ = try ShopStore(shop, folder: path) },
        { _ = try FileBasketStore(folder: path) },
      ] as [() throws -> Void] {
        let error = #expect(throws: (any Error).self) { try attempt() }
        #expect(error.map { "\($0)".contains(advice.description) } == true, "\(error as Any)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test func `a record file's incomplete last line is dropped, and damaged lines are returned`()
    throws
  {
    let path = folder.path("records")
    do {
      let file = try RecordFile.open(path).file
      for text in ["one", "two", "three"] { try file.append(Array(text.utf8), isSynced: false) }
    }
    let whole = try folder.text("records")
    let lines = whole.split(separator: "\n").map(String.init)
    try #require(lines.count == 3)
    func open(_ text: String) throws -> (texts: [String], damaged: [String], left: String) {
      try folder.write(text, to: "records")
      let (file, contents) = try RecordFile.open(path)
      #expect(try file.size == folder.text("records").utf8.count)
      return (
        contents.records.map { String(decoding: $0, as: UTF8.self) },
        contents.damaged.map { String(decoding: $0, as: UTF8.self) }, try folder.text("records")
      )
    }
    for count in 1...lines[2].utf8.count {
      let found = try open(String(whole.dropLast(count)))
      #expect(found.texts == ["one", "two"] && found.damaged == [], "\(count)")
      #expect(found.left == lines[..<2].map { "\($0)\n" }.joined(), "\(count)")
    }
    // A byte of the first record, of its checksum, and a length that is one too much.
    for (place, byte) in [(26, "0"), (0, "x"), (24, "4")] {
      var line = lines[0]
      let start = line.index(line.startIndex, offsetBy: place)
      line.replaceSubrange(start...start, with: byte)
      let found = try open("\(line)\n\(lines[1])\n")
      #expect(found.texts == ["two"] && found.damaged == [line], "\(place)")
    }
    let file = try RecordFile.open(path).file
    for _ in 1...2 {
      let aside = try file.setAside([Array("odd".utf8), []])
      #expect(aside == "\(path).damaged")
    }
    #expect(try folder.text("records.damaged") == "odd\n\nodd\n\n")
  }

  @Test func `a failed write leaves a record file unchanged`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let file = try RecordFile.open(folder.path("records")).file
      try file.append(Array("one".utf8), isSynced: false)
      let text = try folder.text("records")
      WriteSignals.surviveSizeLimit()
      // Within the next record.
      try #require(ResourceLimit.fileSize.set(rlim_t(text.utf8.count + 10), most: 1 << 40))
      #expect(throws: SystemError(number: EFBIG)) {
        try file.append(Array("two".utf8), isSynced: false)
      }
      #expect(try folder.text("records") == text)
      #expect(file.size == text.utf8.count)
      try #require(ResourceLimit.fileSize.set(1 << 40))
      try file.append(Array("two".utf8), isSynced: false)
      #expect(try folder.text("records").utf8.count == 2 * text.utf8.count)
    }
  }
}
