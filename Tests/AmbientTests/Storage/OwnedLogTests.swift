// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Files, links and buffers of several users, each in a process of its own, which gives up the rights
/// of root.
@Suite(.enabled("only root gives files away") { geteuid() == 0 })
struct `Logs of other users` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("w") }

  init() throws { try #require(chmod(folder.path, 0o777) == 0) }

  @Test(arguments: [true, false], [true, false])
  func `a rotated log's new file gets the old file's permissions, owner and group`(
    _ isRoot: Bool, _ isOurs: Bool
  ) async throws {
    try folder.write("", to: "w")
    let owner: uid_t = isRoot ? 1_234 : 65_534
    try #require(chown(path, owner, 5_678) == 0 && chmod(path, 0o640) == 0)
    await #expect(processExitsWith: .success) {
      [path = path as String, isRoot = isRoot as Bool, isOurs = isOurs as Bool] in
      umask(0o077)
      if !isRoot { try become(65_534, group: 5_678) }
      let log = try FileLog(
        path: path, level: .info, rotation: isOurs ? .size(60) : nil,
        file: FileOptions(survives: .eachLine))
      log.info("one")
      if !isOurs {
        try #require(rename(path, path + ".1") == 0)
        log.reopen()
      }
      for _ in 0..<3 { log.info("more") }
    }
    let names = folder.names.filter { $0.hasPrefix("w") }
    #expect(names.count >= 2)
    for name in names {
      let file = try status(folder.path(name))
      #expect(
        file.st_mode & 0o777 == 0o640 && file.st_uid == owner && file.st_gid == 5_678, "\(name)")
    }
  }

  @Test func `root doesn't write a log through a symbolic link that belongs to another user`()
    async throws
  {
    try folder.write("root's", to: "victim")
    func link(_ owner: uid_t) throws {
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: folder.path("victim"))
      try #require(lchown(path, owner, owner) == 0)
    }
    try link(65_534)
    let error = #expect(throws: FileOpenError.self) { try FileLog(path: path) }
    #expect(error?.reason == SystemError.foreignLink.description)
    try FileManager.default.removeItem(atPath: path)
    // A link that takes the place of the open file.
    let reports = Reports()
    try Diagnostics.withInstance(reports) {
      let log = try FileLog(path: path, level: .info, file: FileOptions(survives: .eachLine))
      log.info("one")
      try #require(rename(path, folder.path("w.old")) == 0)
      try link(65_534)
      log.reopen()
      log.info("two")
      #expect(log.lostRecords == 0)
    }
    #expect(reports.all.first?.kind == .writeFailed)
    #expect(try folder.text("victim") == "root's")
    #expect(try folder.text("w.old").split(separator: "\n").count == 2)
    // Root's own link is followed.
    try FileManager.default.removeItem(atPath: path)
    try link(0)
    try FileLog(path: path, level: .info).info("three")
    #expect(try folder.text("victim").hasSuffix(" three\n"))
  }

  @Test(arguments: [true, false])
  func `root recovers another user's log buffer only if that user owns the log's folder`(
    _ isOwner: Bool
  ) async throws {
    if isOwner { try #require(chown(folder.path, 65_534, 65_534) == 0) }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try become(65_534, group: 65_534)
      var options = FileOptions()
      options.firstLines = 0
      let log = try FileLog(path: path, level: .info, file: options)
      for number in 0..<500 { log.info("\(number)") }
      kill(getpid(), SIGKILL)
    }
    if isOwner {
      try FileLog.recover(path: path)
      #expect(try folder.text("w").split(separator: "\n").count == 500)
      #expect(folder.names == ["w"])
    } else {
      let error = #expect(throws: BufferError.self) { try FileLog.recover(path: path) }
      #expect(error?.code == .foreign)
    }
  }

  @Test(arguments: [true, false])
  func `a program that logs only a few lines leaves no writer lock file behind`(
    _ isBuffered: Bool
  ) async throws {
    await #expect(processExitsWith: .success) {
      [path = folder.path("shop.log") as String, isBuffered = isBuffered as Bool] in
      Log.instance = try FileLog(
        path: path, level: .info, rotation: .size(100),
        file: FileOptions(survives: isBuffered ? .process : .eachLine))
      for number in 0..<4 { Log.info("\(number)") }
      exit(0)
    }
    #expect(folder.names.contains("shop.log.1"))
    #expect(!folder.names.contains { $0.hasSuffix(".turn") })
  }

  @Test func `tar, cp and grep can read a log folder in use, and only logs remain after closing`()
    async throws
  {
    try #require(chown(folder.path, 65_534, 65_534) == 0)
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      umask(0o022)
      try become(65_534, group: 65_534)
      let copy = TemporaryFolder()
      do {
        let logs = try [FileOptions.Survival.process, .eachLine, .machine].map {
          try FileLog(path: "\(folder)/\($0).log", level: .info, file: FileOptions(survives: $0))
        }
        for log in logs {
          for number in 0..<100 { log.info("\(number)") }
          log.flush()
        }
        for line in [
          ["tar", "-cf", copy.path("w.tar"), "-C", folder, "."],
          ["cp", "-r", folder, copy.path("w")], ["grep", "-rq", "info", folder],
        ] {
          let result = try await Command.run(line)
          #expect(result.status == 0, "\(result.output)")
        }
        withExtendedLifetime(logs) {}
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
          == ["eachLine.log", "machine.log", "process.log"])
    }
  }
}

private func become(_ user: uid_t, group: gid_t) throws {
  var groups = [group]
  try #require(setgroups(1, &groups) == 0 && setgid(group) == 0 && setuid(user) == 0)
}

private func status(_ path: String) throws -> stat {
  var status = stat()
  try #require(stat(path, &status) == 0)
  return status
}
