// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Failed rotations` {
  let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  @Test func `if a folder has the archive's name, a rotation loses no line and succeeds later`()
    throws
  {
    try folder.makeFolder("shop.log.1")
    var file = try RotatingFile(path, .size(2))
    try file.write("1")
    let failure = RotationFailure(
      action: "use the name", path: folder.path("shop.log.1"), error: SystemError(number: EEXIST))
    #expect(try file.write("2") == .failed(failure))
    try FileManager.default.removeItem(atPath: folder.path("shop.log.1"))
    try file.write("3")
    #expect(try folder.contents == ["shop.log.1": "1 2", "shop.log": "3"])
  }

  @Test func `if a folder has the name that an older archive needs, a rotation moves no archive`()
    throws
  {
    var file = try RotatingFile(path, .size(2))
    for line in 1...3 { try file.write("\(line)") }
    try folder.makeFolder("shop.log.3")
    let before = try folder.text("shop.log.1") + folder.text("shop.log.2")
    guard case .failed? = try file.write("4") else { return #expect(Bool(false)) }
    #expect(try folder.text("shop.log.1") + folder.text("shop.log.2") == before)
  }

  @Test func `a rotation skips a dated archive name that a folder already has`() throws {
    try folder.makeFolder("shop.log.2026-11-26")
    var file = try RotatingFile(path, FileRotation(size: 2, zone: .utc, names: .dated))
    for line in 1...3 { try file.write("\(line)") }
    #expect(try folder.text("shop.log.2026-11-26.2") == "1\n")
    #expect(try folder.text("shop.log.2026-11-26.3") == "2\n")
  }

  @Test func `a failed rotation is retried only after a pause`() throws {
    try folder.makeFolder("shop.log.1")
    var file = try RotatingFile(path, .size(2), pause: .seconds(100_000))
    for line in 1...5 { try file.write("\(line)") }
    #expect(file.outcomes.count == 1)
    #expect(try folder.text("shop.log") == "1\n2\n3\n4\n5\n")
  }

  @Test func `while another process holds the rotation lock, a rotation is at first postponed`()
    throws
  {
    var file = try RotatingFile(path, .size(2))
    try file.write("1")
    let lock = try #require(ForeignLock(folder.path(".shop-log.rotation")))
    #expect(try file.write("2") == .postponed)
    lock.release()
    guard case .rotated? = try file.write("3") else { return #expect(Bool(false)) }
    #expect(try folder.contents == ["shop.log.1": "1 2", "shop.log": "3"])
  }

  @Test func `a rotation doesn't rename a foreign file that took the log's place`() throws {
    var file = try RotatingFile(path, .size(2))
    try file.write("1")
    try FileManager.default.moveItem(atPath: path, toPath: folder.path("elsewhere"))
    #expect(try file.write("2") == .replaced)
    try FileManager.default.moveItem(atPath: path, toPath: folder.path("elsewhere.2"))
    try folder.write("foreign\n", to: "shop.log")
    #expect(try file.write("3") == .replaced)
    #expect(
      try folder.contents == [
        "elsewhere": "1", "elsewhere.2": "2", "shop.log": "foreign 3",
      ])
  }

  @Test func `if the archive's name is too long, a rotation fails and the log keeps growing`()
    throws
  {
    let path = folder.path(String(repeating: "x", count: 254))
    var file = try RotatingFile(path, .size(2))
    try file.write("1")
    guard case .failed(let failure)? = try file.write("2") else { return #expect(Bool(false)) }
    #expect(failure.error.number == ENAMETOOLONG)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "1\n2\n")
  }

  @Test(.enabled("root may write everywhere") { geteuid() != 0 })
  func `in a read-only folder, a rotation fails and the log keeps growing`() throws {
    var file = try RotatingFile(path, .size(2))
    try file.write("1")
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    guard case .failed? = try file.write("2") else { return #expect(Bool(false)) }
    #expect(try folder.contents == ["shop.log": "1 2"])
  }

  @Test func `a log file that its writer can't read is still rotated`() async throws {
    let folder = TemporaryFolder()
    chmod(folder.path, 0o777)
    let path = folder.path("unread.log")
    await #expect(processExitsWith: .success) { [path = path as String] in
      // Root may read everything: this process goes on as nobody.
      if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o200)
      try #require(file >= 0)
      close(file)
      var log = try RotatingFile(path, .size(2))
      try log.write("1")
      #expect(try log.write("2") == .rotated(to: path + ".1", nil))
    }
    for name in ["unread.log", "unread.log.1"] { chmod(folder.path(name), 0o600) }
    #expect(try folder.contents == ["unread.log": "2", "unread.log.1": "1"])
  }

  @Test func `RotatedFiles removeOldest() returns an error for an archive that can't be removed`()
    async throws
  {
    let folder = TemporaryFolder()
    for number in 1...3 { try folder.write("\(number)\n", to: "shop.log.\(number)") }
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    let path = folder.path("shop.log")
    await #expect(processExitsWith: .success) { [path = path as String] in
      // Root may write everywhere: this process goes on as nobody.
      if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let files = RotatedFiles(path, .numbered, mode: 0o600)
      // The oldest is passed by, and the last failure is told.
      let failure = files.removeOldest(.size(2, keep: 1), now: Date())
      let expected = RotationFailure(
        action: "remove", path: "\(path).2", error: SystemError(number: EACCES))
      #expect(failure == expected)
      #expect(files.removeOldest(.size(2, keep: 3), now: Date()) == nil)
    }
    #expect(folder.names == ["shop.log.1", "shop.log.2", "shop.log.3"])
  }

  @Test func `a Rotator can't be created for a device, pipe or folder`() throws {
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    for path in ["/dev/null", pipe, folder.path] {
      #expect(
        Rotator(path: path, .size(1), mode: 0o600, now: Date(), source: "Test") == nil)
    }
  }
}

/// A container often gets its log as a single file, which is mounted and cannot be renamed.
@Suite(
  .withoutSanitizer,
  .enabled(if: SmallDisk.isPossible, "needs unshare(1) and the right to mount a tmpfs"))
struct `Rotation of a mounted file` {
  @Test func `a failed rotation of a bind-mounted log file is reported once and loses no line`()
    async throws
  {
    let folder = TemporaryFolder()
    let result = try await SmallDisk.run(
      "LineWriter", in: folder,
      """
      touch real $DISK/shop.log; mount --bind real $DISK/shop.log
      echo newer > $DISK/shop.log.1; echo older > $DISK/shop.log.2
      $PROGRAM $DISK/shop.log progress w 1 500 exit rotate:5000 eachLine 2> errors
      cat $DISK/shop.log.* > archives
      """)
    #expect(result.status == 0, "\(result.output)")
    #expect(try folder.text("real").split(separator: "\n").count == 500)
    #expect(try folder.text("archives") == "newer\nolder\n")
    let errors = try folder.text("errors").split(separator: "\n")
    #expect(errors.count == 1 && errors[0].contains(SystemError.busy.description), "\(errors)")
  }
}
