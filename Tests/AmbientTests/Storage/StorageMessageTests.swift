// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Storage messages` {
  private let full = SystemError(number: ENOSPC)
  private let denied = SystemError(number: EACCES)
  private let log = "/var/log/shop.log"
  private let buffer = "/var/log/.ambient-4x-1.buffer"
  /// A path that tries to leave its line.
  private let hostile = "/tmp/“a”\n\u{1B}[2J Ada: журнал 🛒.log"

  @Test func `messages about files that cannot be opened equal those in messages.txt`() throws {
    func invalid(
      _ rotation: FileRotation? = nil, _ options: FileOptions = FileOptions()
    ) throws -> String {
      let (reason, advice) = try #require(rotation?.fault ?? options.fault)
      return "\(FileOpenError(path: log, reason: reason, advice: advice))"
    }
    let long = String(repeating: "журнал🛒", count: 1_000)
    let text = "\(FileOpenError(path: long, denied))"
    #expect(text.contains(long) && !text.contains("\n"))
    try MessageCatalog.expect(
      "Ambient, files",
      [
        "A file that cannot be opened": "\(FileOpenError(path: log, denied))",
        "A hostile path": "\(FileOpenError(path: hostile, denied))",
        "No path": "\(FileOpenError(path: "", .unopened))",
        "A path for a shell": "\(FileOpenError(path: "~/a.log", .unexpandedPath))",
        "A URL": "\(FileOpenError(path: "file:///a.log", .urlPath))",
        "A path with a zero byte": "\(FileOpenError(path: "a\0b", .pathWithNull))",
        "A link of another user": "\(FileOpenError(path: log, .foreignLink))",
        "A socket": "\(FileOpenError(path: "/dev/stdout", .streamPath))",
        "A pipe without a reader": "\(FileOpenError(path: "/tmp/pipe", .noReader))",
        "Another root": "\(FileOpenError(path: log, .otherRoot))",
        "Invalid permissions": try invalid(nil, FileOptions(permissions: 0o400)),
        "An invalid wait": try invalid(nil, FileOptions(whenFull: .wait(atMost: .seconds(-1)))),
        "An invalid folder of buffers": try invalid(nil, FileOptions(bufferFolder: "~/b")),
        "An empty folder of buffers": try invalid(nil, FileOptions(bufferFolder: "")),
        "A rotation without a rule": try invalid(FileRotation()),
        "A rotation of no size": try invalid(.size(0)),
        "A negative limit": try invalid(.daily(keep: -1)),
        "A negative age": try invalid(FileRotation(size: 1, keepAge: .seconds(-1))),
      ])
  }

  @Test func `messages about buffers equal those in messages.txt`() throws {
    let long = "/" + String(repeating: "буфер", count: 2_000)
    #expect("\(BufferError.foreign(path: long))".contains("“\(long)”"))
    let removed = BufferFile.text(of: .removed, buffer)
    try MessageCatalog.expect(
      "Ambient, buffers",
      [
        "Unreadable": "\(BufferError.unreadable(path: buffer, reason: denied.description))",
        "A hostile path": "\(BufferError.unreadable(path: hostile, reason: "Permission denied"))",
        "Damaged": "\(BufferError.damaged(path: buffer, reason: "its header was changed"))",
        "Of another user": "\(BufferError.foreign(path: buffer))",
        "Unwritten": "\(BufferError.unwritten(path: buffer, file: log, reason: full.description))",
        "Lines that an earlier process dropped": BufferRecovery.text(ofLoss: 12),
        "A removed buffer, replaced": FileWriter.text(of: removed, nil),
        "A truncated buffer, not replaced":
          FileWriter.text(of: BufferFile.text(of: .lostPages, buffer), full),
        "No buffer": FileWriter.text(ofNoBufferIn: "/var/log", .unsupported),
        "Damaged lines": FileWriter.text(ofDamage: 3),
        "Another handler of SIGBUS": LostPages.otherHandler,
      ])
  }

  @Test func `messages about writes equal those in messages.txt`() throws {
    let file = TemporaryFolder()
    try file.write("", to: "link")
    chmod(file.path("link"), 0o644)
    let opened = try FileDescriptor.appending(to: file.path("link"))
    defer { opened.close() }
    let oddity = OpenFile.oddity(of: opened, file.path("link"), 0o600)
    try MessageCatalog.expect(
      "Ambient, writes",
      [
        "Waiting lines": FileWriter.text(ofFailure: full),
        "A lost line": Failures.text(ofLoss: full, full: ""),
        "A full buffer": Failures.text(ofLoss: .full, full: FileWriter.slowDisk),
        "A full pipe": Failures.text(ofLoss: .full, full: LineStream.text(ofWait: 1_000)),
        "Recovered": Failures.text(failed: 0),
        "Recovered after losses": Failures.text(failed: 12),
        "A previous file that cannot be synchronized": OpenFile.text(ofFormer: full),
        "A closed descriptor": OpenFile.text(ofTheft: log),
        "A path that cannot be opened again": OpenFile.text(ofAstray: log, denied),
        "An existing file": oddity ?? "",
        "No lock": WriterLock.text(ofFailure: denied, "/var/log/.ambient-4x.turn"),
        "A lock that others hold":
          WriterLock.text(ofWait: .seconds(3), "/var/log/.ambient-4x.turn"),
        "Messages that standard error refused": StandardError.text(ofDropped: 3),
      ])
  }

  @Test func `messages about rotations equal those in messages.txt`() throws {
    func failed(_ action: String, _ path: String, _ error: SystemError) -> String {
      FileWriter.text(of: RotationFailure(action: action, path: path, error: error))
    }
    try MessageCatalog.expect(
      "Ambient, rotation",
      [
        "A failed rotation": failed("rename", log, denied),
        "A name that is in use": failed("use the name", "\(log).1", .inTheWay),
        "A name of another log": failed("use the name", "\(log).1", .otherLog),
        "Recovered": Failures.text(of: "rotates again", failed: 0),
        "No compressor": RotationCompressor.text(ofUnstarted: "gzip", .unopened),
        "A file that is not compressed": RotationCompressor.text(ofFailed: "gzip", "\(log).1"),
      ])
  }
}
