// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Writer locks` {
  private let folder = TemporaryFolder()

  private func log(_ name: String = "shop.log") throws -> FileDescriptor {
    try .appending(to: folder.path(name))
  }

  @Test func `a writer lock is held by one writer at a time`() throws {
    let log = try log()
    defer { log.close() }
    let path = folder.path("shop.log")
    let (first, second) = (Turn(path), Turn(path))
    #expect(!first.isHeld && !first.isTaken)
    #expect(first.take(log) == nil && first.isHeld && !first.isTaken)
    #expect(second.take(log) == nil && !second.isHeld && second.isTaken)
    first.release()
    #expect(!first.isHeld && !first.isTaken)
    #expect(second.take(log) == nil && second.isHeld && !second.isTaken)
    second.close()
    #expect(!second.isHeld)
    #expect(first.take(log) == nil && first.isHeld)
    first.release()
  }

  @Test func `all paths to a log file share one writer lock`() throws {
    for name in ["real", "buffers", "real/.ambient-\(BufferFile.hash(of: "shop.log")).turn"] {
      try folder.makeFolder(name)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "real")
    let log = try log("other.log")
    defer { log.close() }
    let turns = ["real", "link"].map {
      Turn(folder.path("\($0)/shop.log"), bufferFolder: folder.path("buffers"))
    }
    #expect(turns[0].take(log) == nil && turns[0].isHeld)
    #expect(turns[1].take(log) == nil && !turns[1].isHeld && turns[1].isTaken)
    turns[0].release()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("buffers"))
    #expect(names.count == 1)
  }

  @Test func `a writer lock that can't be created is reported once, with its path`() throws {
    let log = try log()
    defer { log.close() }
    let path = folder.path(".ambient-\(BufferFile.hash(of: "shop.log")).turn")
    try Obstacle.folder.place(at: path, in: folder)
    let turn = Turn(folder.path("shop.log"))
    #expect(
      turn.take(log) == WriterLock.text(ofFailure: SystemError(number: EISDIR), path))
    #expect(turn.take(log) == nil && !turn.isHeld && !turn.isTaken)
  }

  @Test func `a writer lock that others keep holding is reported once and then not waited for`()
    async throws
  {
    let log = try log()
    defer { log.close() }
    let (first, second) = (Turn(folder.path("shop.log")), Turn(folder.path("shop.log")))
    #expect(first.take(log) == nil && first.isHeld)
    var trouble: String?
    let isTold = await Patience.waitIdly {
      trouble = second.take(log)
      return trouble != nil
    }
    try #require(isTold)
    let path = folder.path(".ambient-\(BufferFile.hash(of: "shop.log")).turn")
    #expect(trouble?.contains("“\(path)”") == true)
    #expect(second.take(log) == nil && !second.isHeld && !second.isTaken)
    first.release()
    #expect(second.take(log) == nil && second.isHeld)
    second.release()
  }
}

private final class Turn {
  private var lock: WriterLock

  init(_ target: String, bufferFolder: String? = nil) {
    lock = WriterLock(for: target, bufferFolder: bufferFolder)
  }

  var isHeld: Bool { lock.isHeld }
  var isTaken: Bool { lock.isTaken }

  func take(_ log: FileDescriptor) -> String? {
    guard let status = log.status else { return nil }
    return lock.take(for: status)
  }
  func release() { lock.release() }
  func close() { lock.release() }
}
