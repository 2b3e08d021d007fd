// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Log buffers of another format` {
  private let folder = TemporaryFolder()
  private let bytes: Data
  private var path: String { folder.path("shop.log") }
  private let buffer: String

  init() throws {
    let header = RingHeader(magic: Array("AmbLines".utf8), version: 9, capacities: 4_096...4_096)
    buffer = folder.path(".ambient-\(BufferFile.hash(of: "shop.log"))-1.buffer")
    let file = try FileDescriptor.new(buffer)
    defer { file.close() }
    try header.write(to: file, capacity: 4_096, end: 64)
    try file.allocate(RingHeader.size + 4_096)
    bytes = try Data(contentsOf: URL(filePath: buffer))
  }

  private func isRefusal(_ error: BufferError?) -> Bool {
    error?.code == .unreadable && error?.path == buffer && error!.description.contains("format 9")
  }

  @Test func `recovery throws for a log buffer of an unknown format and leaves it unchanged`()
    throws
  {
    let error = #expect(throws: BufferError.self) { try FileLog.recover(path: path) }
    #expect(isRefusal(error))
    #expect(try Data(contentsOf: URL(filePath: buffer)) == bytes)
    #expect(!FileSystem.exists(path))
  }

  @Test(.quiet)
  func `opening a log reports a log buffer of an unknown format and leaves it unchanged`()
    throws
  {
    let log = try FileLog(path: path, level: .info)
    log.info("a line")
    log.flush()
    #expect(Test.reports.map(\.kind) == [.writeFailed])
    #expect(try Data(contentsOf: URL(filePath: buffer)) == bytes)
    #expect(try folder.text("shop.log").contains("a line"))
  }
}
