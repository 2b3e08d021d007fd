// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// What administrators do to a log while a program writes it.
@Suite struct `Moved and removed log files` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("logs/shop.log") }

  private func log(_ survival: FileOptions.Survival = .process) throws -> FileLog {
    var options = FileOptions(survives: survival)
    options.firstLines = 0
    return try FileLog(path: path, level: .info, file: options)
  }

  private func lines(_ name: String = "logs/shop.log") throws -> [Substring] {
    try folder.text(name).split(separator: "\n").compactMap { $0.split(separator: " ").last }
  }

  @Test func `after its file is renamed, a log writes to a new file at the old path`() throws {
    let log = try log()
    log.info("one")
    log.flush()
    try FileManager.default.moveItem(atPath: path, toPath: folder.path("logs/shop.log.1"))
    log.info("two")
    log.flush()
    #expect(try lines("logs/shop.log.1") == ["one"])
    #expect(try lines() == ["two"])
  }

  @Test(.long, .withoutSanitizer)
  func `after its file is renamed, a log waits for the renaming program to create a new one`()
    async throws
  {
    let renamed = path + ".1"
    async let outcome = withCheckedContinuation { continuation in
      Thread { [path] in
        continuation.resume(
          returning: Result {
            var file = OpenFile(
              path: path, FileOptions(), try OpenFile.open(path, nil), grace: Patience.short)
            let lines = try BufferFile(target: path, folder: nil).make(capacity: 65_536).lines
            _ = Array("one\n".utf8).withUnsafeBytes { lines.ring.append($0) }
            try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
            return file.drain(lines, until: lines.ring.end, nil).error
          })
      }.start()
    }
    #expect(await Patience.waitIdly { FileManager.default.fileExists(atPath: renamed) })
    // Time for a mistake.
    try await Task.sleep(for: .milliseconds(50))
    let next = FileDescriptor(number: open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600))
    #expect(next.number >= 0)
    next.close()
    #expect(try await outcome.get() == nil)
    #expect(try folder.text("logs/shop.log") == "one\n")
  }

  @Test func `after a copytruncate rotation, a log writes at the start of its file`() throws {
    let log = try log()
    log.info("one")
    log.flush()
    try FileManager.default.copyItem(atPath: path, toPath: folder.path("logs/shop.log.1"))
    #expect(truncate(path, 0) == 0)
    log.info("two")
    log.flush()
    #expect(try Data(contentsOf: URL(filePath: path)).first != 0)
    #expect(try lines() == ["two"])
  }

  @Test(arguments: [FileOptions.Survival.process, .eachLine])
  func `a log recreates its deleted file and folder`(
    _ survival: FileOptions.Survival
  ) async throws {
    let log = try log(survival)
    log.info("one")
    log.flush()
    try FileManager.default.removeItem(atPath: path)
    #expect(
      await Patience.waitIdly {
        log.info("two")
        log.flush()
        return FileManager.default.fileExists(atPath: path)
      })
    #expect(try lines().last == "two")
    try FileManager.default.removeItem(atPath: folder.path("logs"))
    #expect(
      await Patience.waitIdly {
        log.info("three")
        log.flush()
        return FileManager.default.fileExists(atPath: path)
      })
    #expect(try lines().last == "three")
    #expect(log.lostRecords == 0)
  }

  @Test func `repeatedly reopening a log leaves only one descriptor open and loses no line`() throws
  {
    let log = try log(.eachLine)
    for number in 0..<200 {
      log.info("\(number)")
      if number % 50 == 0 {
        try? FileManager.default.moveItem(
          atPath: path, toPath: folder.path("logs/shop.log.\(number)"))
      }
      log.reopen()
    }
    #expect(descriptors(of: path).count == 1)
    let all = try ["", ".0", ".50", ".100", ".150"].flatMap { try lines("logs/shop.log\($0)") }
    #expect(all.count == 200 && Set(all).count == 200)
  }

  @Test func `two FileLogs that write one file neither lose nor tear lines`() async throws {
    let logs = try (0..<2).map { _ in try log() }
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<2_000 {
            logs[task % 2].info("\(task).\(number)")
            if number % 100 == 0 { logs[task % 2].flush() }
          }
        }
      }
    }
    for log in logs { log.flush() }
    let all = try lines()
    #expect(all.count == 8_000 && Set(all).count == 8_000)
  }

  @Test(.quiet)
  func `if its path can't be reopened, a log writes to its renamed file and reports once`()
    async throws
  {
    let log = try log()
    log.info("one")
    log.flush()
    try FileManager.default.moveItem(atPath: path, toPath: folder.path("logs/former.log"))
    try folder.makeFolder("logs/shop.log")
    #expect(
      Patience.wait {
        log.info("more")
        log.flush()
        return !Test.reports.isEmpty
      })
    for _ in 1...3 {
      log.info("more")
      log.flush()
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(
      Patience.wait {
        log.info("more")
        log.flush()
        return FileManager.default.fileExists(atPath: path)
      })
    #expect(log.lostRecords == 0)
    #expect(Test.reports.map(\.kind) == [.writeFailed])
    #expect(Test.reports[0].description.contains("“\(path)”"))
    #expect(try folder.text("logs/former.log").contains("more"))
  }

  @Test(.quiet) func `a log whose file was temporarily replaced by a pipe or folder loses no line`()
    async throws
  {
    let log = try log()
    log.info("one")
    log.flush()
    for name in ["pipe", "folder"] {
      try FileManager.default.removeItem(atPath: path)
      if name == "pipe" {
        #expect(mkfifo(path, 0o600) == 0)
      } else {
        try folder.makeFolder("logs/shop.log")
      }
      log.info("while there is a \(name)")
      log.flush()
      try FileManager.default.removeItem(atPath: path)
      log.flush()
      #expect(try lines() == [Substring(name)])
    }
    #expect(log.lostRecords == 0)
    #expect(Test.reports.map(\.kind) == [.writeFailed, .recovered, .writeFailed, .recovered])
  }

  @Test(
    .enabled("only root may call chroot(2)") { geteuid() == 0 },
    arguments: [true, false])
  func `after chroot, a log keeps writing to its open file and reports this once`(
    _ isBuffered: Bool
  ) async throws {
    try folder.makeFolder("jail")
    await #expect(processExitsWith: .success) {
      [
        path = path as String, jail = folder.path("jail") as String,
        isBuffered = isBuffered as Bool
      ] in
      let reports = Reports()
      Diagnostics.instance = reports
      let log = try FileLog(
        path: path, level: .info, file: FileOptions(survives: isBuffered ? .process : .eachLine))
      for number in 0..<50 { log.info("\(number)") }
      log.flush()
      try #require(chroot(jail) == 0 && chdir("/") == 0)
      var count = 50
      // A log without a buffer looks at its path once a second.
      let isReported = Patience.wait {
        for _ in 0..<10 {
          log.info("\(count)")
          count += 1
        }
        log.flush()
        return !reports.all.isEmpty
      }
      log.info("\(count)")
      log.flush()
      guard isReported, log.lostRecords == 0, reports.all.map(\.kind) == [.writeFailed] else {
        exit(1)
      }
    }
    let numbers = try lines().compactMap { Int($0) }
    #expect(numbers.count > 60 && numbers == Array(0..<numbers.count))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("jail")) == [])
  }

  @Test func `if a log is a symbolic link, recovery completes a partly written batch of lines`()
    throws
  {
    try folder.makeFolder("real")
    try folder.makeFolder("logs")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path("real/there.log"))
    try folder.write("line 0\nline 1\nli", to: "real/there.log")
    try leaveBuffer()
    try FileLog.recover(path: path)
    #expect(try lines() == (0..<10).map { Substring("\($0)") })
  }

  /// Leaves a buffer with ten lines, as its owner's death would, which were to be written behind the
  /// first `size` bytes of the file that has the path now.
  private func leaveBuffer(size: Int = 0) throws {
    let (queue, place) = try BufferFile(target: path, folder: nil).make(capacity: 8_192)
    try withExtendedLifetime(queue) {
      for number in 0..<10 {
        _ = Array("line \(number)\n".utf8).withUnsafeBytes { queue.ring.append($0) }
      }
      let identity = try #require(FileDescriptor.identity(at: path))
      queue.intend(identity, size: size, from: queue.ring.start, until: queue.ring.end)
      let copy = try #require(FileManager.default.contents(atPath: place))
      try FileManager.default.removeItem(atPath: place)
      try copy.write(to: URL(filePath: place))
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `after a log's rename, recovery writes the rest of a partial batch to the new file`(
    _ isLink: Bool, _ isMadeAgain: Bool
  ) throws {
    let name = isLink ? "real/there.log" : "logs/shop.log"
    try folder.write("line 0\nline 1\nli", to: name)
    if isLink {
      try folder.makeFolder("logs")
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: folder.path(name))
    }
    try leaveBuffer()
    try FileManager.default.moveItem(
      atPath: folder.path(name), toPath: folder.path("\(name).1"))
    if isMadeAgain { try folder.write("line other\n", to: name) }
    try FileLog.recover(path: path)
    #expect(try lines("\(name).1") == ["0", "1", "li"])
    let others: [Substring] = isMadeAgain ? ["other"] : []
    #expect(try lines(name) == others + (2..<10).map { Substring("\($0)") })
  }

  @Test func `if a log was truncated and rewritten, recovery completes a partly written batch`()
    throws
  {
    try folder.write("line 0\nline 1\n", to: "logs/shop.log")
    try leaveBuffer(size: 1_000)
    try FileLog.recover(path: path)
    #expect(try lines() == (0..<10).map { Substring("\($0)") })
  }

  @Test func `a log installed fifty times in a row loses no line`() throws {
    let log = try log()
    for round in 0..<50 {
      Log.withInstance(log) { Log.error("\(round)") }
    }
    log.info("last")
    log.flush()
    #expect(try lines().count == 51 && log.lostRecords == 0)
  }

  @Test func `a new log file gets the requested permissions despite the umask`() throws {
    let log = try FileLog(
      path: path, level: .info, file: FileOptions(permissions: 0o662))
    log.info("one")
    log.flush()
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o662)
  }

  enum Oddity: String, CaseIterable {
    case permissions = "644"
    case hardLink = "hard-linked"
    case link = "symbolic link"
    case owner = "12345"
  }

  @Test(arguments: Oddity.allCases)
  func `an existing log file with an unexpected owner, permissions or links is reported once`(
    _ oddity: Oddity
  ) throws {
    let other = folder.path("other.log")
    for name in ["logs/shop.log", "other.log"] {
      try folder.write("", to: name)
      chmod(folder.path(name), 0o600)
    }
    switch oddity {
    case .permissions: chmod(path, 0o644)
    case .hardLink: try FileManager.default.linkItem(atPath: path, toPath: path + ".2")
    case .link:
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    case .owner:
      // Only a privileged user gives files away.
      if chown(path, 12_345, gid_t.max) != 0 { return }
    }
    let reports = Reports()
    try Diagnostics.withInstance(reports) {
      try FileLog(path: path, level: .info, file: FileOptions(permissions: 0o600)).info("x")
      // Not where nothing was asked for.
      try FileLog(path: path, level: .info).info("x")
    }
    #expect(reports.all.map(\.kind) == [.invalidSetting])
    #expect(reports.all.first?.message.contains(" \(oddity.rawValue). ") == true)
  }

  @Test func `a log reports that its file was replaced by a file with different permissions`()
    throws
  {
    let reports = Reports()
    try Diagnostics.withInstance(reports) {
      var options = FileOptions(permissions: 0o600)
      options.firstLines = 0
      let log = try FileLog(path: path, level: .info, file: options)
      log.info("one")
      log.flush()
      #expect(reports.all.isEmpty)
      try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
      try folder.write("", to: "logs/shop.log")
      chmod(path, 0o644)
      log.info("two")
      log.flush()
    }
    #expect(reports.all.map(\.kind) == [.invalidSetting])
    #expect(try lines() == ["two"])
  }

  @Test(arguments: [
    (FileOptions(permissions: 0o7777), "7777"), (FileOptions(permissions: 0o400), "400"),
    (FileOptions(whenFull: .wait(atMost: .seconds(-1))), "-1"),
    (FileOptions(bufferFolder: ""), "folder"),
  ])
  func `opening a FileLog with invalid file options throws a FileOpenError`(
    _ options: FileOptions, _ word: String
  ) throws {
    let error = #expect(throws: FileOpenError.self) { try FileLog(path: path, file: options) }
    #expect(try #require(error).description.contains(word))
  }
}

#if os(Linux)
  @Suite struct `Line-by-line log files` {
    private let folder = TemporaryFolder()

    @Test func `reopen() of a FileLog that was replaced keeps no file open`() async {
      await #expect(processExitsWith: .success) {
        let folder = TemporaryFolder()
        let path = FileSystem.absolute(folder.path("shop.log"))
        let log = try FileLog(path: path, level: .info)
        Log.instance = log
        log.info("one")
        Log.instance = try FileLog(path: folder.path("next.log"), level: .info)
        precondition(Patience.wait { descriptors(of: path).isEmpty })
        log.reopen()
        precondition(descriptors(of: path).isEmpty)
        log.info("two")
        precondition(descriptors(of: path).isEmpty)
        let text = try folder.text("shop.log")
        precondition(text.split(separator: "\n").count == 2)
      }
    }

    @Test(arguments: [FileOptions.Survival.process, .eachLine, .machine])
    func `a log file is fsynced only if it survives the machine and a line was written`(
      _ survival: FileOptions.Survival
    ) throws {
      let path = folder.path("shop.log")
      let options = FileOptions(survives: survival)
      var file = OpenFile(path: path, options, try OpenFile.open(path, nil))
      try file.reopen()
      let descriptor = file.descriptor
      let number = try #require(descriptor).number
      let sound = dup(number)
      // A descriptor for the path alone (O_PATH) cannot synchronize the file.
      let broken = open(path, 0o10000000)
      defer { for number in [sound, broken] { close(number) } }
      try #require(sound >= 0 && broken >= 0)
      let line = Array("one\n".utf8)
      // Without a line, there is nothing to synchronize.
      #expect(dup2(broken, number) == number)
      var failures: [SystemError?] = [file.synchronize(atOnce: true)]
      #expect(dup2(sound, number) == number)
      let error = line.withUnsafeBytes { file.write($0, nil) }
      #expect(error == nil)
      // Until it succeeds, and once then.
      for descriptor in [broken, sound, broken] {
        #expect(dup2(descriptor, number) == number)
        failures.append(file.synchronize(atOnce: true))
      }
      let failure = survival == .machine ? SystemError(number: EBADF) : nil
      #expect(failures == [nil, failure, nil, nil])
      #expect(dup2(sound, number) == number)
    }
  }
#endif

/// The numbers under which this process has the file open.
private func descriptors(of path: String) -> [String] {
  let files = FileManager.default
  return ((try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).filter {
    (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
  }
}
