// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient
@testable import AmbientCollectors

/// A change of a queue's file that other code makes while the queue is open.
enum FolderChange: CaseIterable, Sendable {
  case fileRemoved, fileReplaced, folderMoved, folderRemoved, folderReplaced

  /// Whether the former folder is at the path `moved` now.
  var isMove: Bool { self == .folderMoved || self == .folderReplaced }
  /// Whether a queue with the record “other” is at the path now, which no journal has open.
  var hasOther: Bool { self == .fileReplaced || self == .folderReplaced }

  /// Changes the queue in the folder `queue`.
  func make(in folder: TemporaryFolder) throws {
    let files = FileManager.default
    let path = folder.path("queue")
    switch self {
    case .fileRemoved, .fileReplaced: try files.removeItem(atPath: folder.path("queue/queue"))
    case .folderMoved, .folderReplaced:
      try files.moveItem(atPath: path, toPath: folder.path("moved"))
    case .folderRemoved: try files.removeItem(atPath: path)
    }
    guard hasOther else { return }
    var options = Journal.Options()
    options.capacity = 1 << 17
    let other = try Journal(folder: folder.path("other"), options)
    other.append("other")
    other.close()
    // The copy was never locked.
    try folder.makeFolder("queue")
    try files.copyItem(atPath: folder.path("other/queue"), toPath: folder.path("queue/queue"))
  }
}

/// Opens a folder that was closed just now. A process that is being started may hold the lock of
/// its queue for a moment.
func reopened<Opened>(_ open: () throws -> Opened) throws -> Opened {
  var opened: Opened?
  _ = Patience.wait(.seconds(10)) {
    opened = try? open()
    return opened != nil
  }
  return try opened ?? open()
}

extension TemporaryFolder {
  /// Runs `body` with a folder, and without root's rights, which this process has again afterwards.
  static func withoutRights(_ body: (TemporaryFolder) async throws -> Void) async throws {
    let folder = TemporaryFolder()
    let isRoot = geteuid() == 0
    if isRoot { try #require(chown(folder.path, 65_534, 65_534) == 0 && seteuid(65_534) == 0) }
    defer { if isRoot { seteuid(0) } }
    try await body(folder)
  }
}

@Suite(.quiet) struct `Moved or replaced journal files` {
  private let queue = Queue()

  private func open(_ folder: String = "queue") throws -> Journal {
    try reopened { try Journal(folder: queue.folder.path(folder)) }
  }

  /// The kinds of reports of the queue's journal.
  private var reports: [Diagnostic.Kind] {
    Test.reports.filter { $0.source == "Journal \(queue.file)" }.map(\.kind)
  }

  @Test(arguments: FolderChange.allCases)
  func `reading a moved journal rewrites its records to a new file and reports the move once`(
    change: FolderChange
  ) throws {
    let journal = try queue.open { $0.permissions = 0o640 }
    for number in 0..<10 { journal.append("\(number)") }
    let read = journal.batch(maximumCount: 4, maximumBytes: .max, now: Journal.now)
    journal.acknowledge(read[1].position)
    try change.make(in: queue.folder)
    let waiting = (2..<10).map { "\($0)" } + (change.hasOther ? ["other"] : [])
    #expect(journal.texts() == waiting)
    // Positions are those of before.
    journal.acknowledge([read[3].position])
    journal.append("last")
    let left = waiting.filter { $0 != "3" } + ["last"]
    #expect(journal.texts() == left)
    #expect(throws: JournalError.self) { try queue.open() }
    #expect(reports == [.damaged])
    #expect(journal.dropped == Journal.Dropped())
    let attributes = try FileManager.default.attributesOfItem(atPath: queue.file)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    journal.close()
    #expect(try open().texts() == left)
    #expect(try !change.isMove || open("moved").count == 0)
    #expect(reports == [.damaged])
    let names = try FileManager.default.contentsOfDirectory(atPath: queue.folder.path("queue"))
    #expect(names == ["queue"])
  }

  @Test(arguments: FolderChange.allCases)
  func `appending to a moved journal also rewrites its records to a new file`(
    change: FolderChange
  ) async throws {
    let journal = try queue.open()
    journal.append("first")
    try change.make(in: queue.folder)
    #expect(
      await Patience.waitIdly {
        journal.append("next")
        return reports == [.damaged]
      })
    let count = journal.count
    _ = consume journal
    let texts = try open().texts()
    #expect(texts.count == count && texts.first == "first")
  }

  @Test(arguments: FolderChange.allCases)
  func `closing a moved journal writes its records to a new file`(change: FolderChange) throws {
    let journal = try queue.open()
    journal.append("first")
    try change.make(in: queue.folder)
    journal.close()
    #expect(reports == [.damaged])
    #expect(try open().texts() == ["first"] + (change.hasOther ? ["other"] : []))
    #expect(try !change.isMove || open("moved").count == 0)
  }

  @Test func `closing an empty journal doesn't recreate its removed folder`() throws {
    let journal = try queue.open()
    try FolderChange.folderRemoved.make(in: queue.folder)
    journal.close()
    #expect(!FileManager.default.fileExists(atPath: queue.folder.path("queue")))
    #expect(reports == [] && journal.dropped == Journal.Dropped())
  }

  @Test func `if a journal's file is moved and truncated, the lost records are counted`() throws {
    let journal = try queue.open()
    for number in 0..<100 { journal.append("\(number)") }
    try FolderChange.folderMoved.make(in: queue.folder)
    try #require(truncate(queue.folder.path("moved/queue"), 65_536) == 0)
    journal.append("last")
    let texts = journal.texts()
    #expect(texts.last == "last" && texts.count + journal.dropped.damaged == 101)
    journal.close()
    #expect(try open().texts() == texts)
  }

  @Test func `a moved journal doesn't write to another journal at its old path`()
    async throws
  {
    let journal = try queue.open()
    for number in 0..<3 { journal.append("\(number)") }
    try FolderChange.folderMoved.make(in: queue.folder)
    let other = try open()
    other.append("other")
    #expect(journal.texts() == ["0", "1", "2"])
    journal.append("3")
    journal.synchronize()
    #expect(other.texts() == ["other"] && reports == [.damaged])
    // Once the other has ended, the journal has a file at the path.
    other.close()
    #expect(
      await Patience.waitIdly {
        _ = journal.texts()
        return reports == [.damaged, .damaged]
      })
    #expect(journal.texts() == ["0", "1", "2", "3", "other"])
    journal.close()
    #expect(try open("moved").count == 0)
    #expect(try open().texts() == ["0", "1", "2", "3", "other"])
  }

  @Test
  func `closing a moved journal whose old path is in use counts the records as unsaved`()
    throws
  {
    let journal = try queue.open()
    for number in 0..<3 { journal.append("\(number)") }
    try FolderChange.folderMoved.make(in: queue.folder)
    let other = try open()
    journal.close()
    #expect(journal.dropped.unsaved == 3 && journal.waiting.count == 0)
    #expect(reports == [.damaged, .undelivered])
    #expect(other.texts() == [])
    // Where the folder is now, the records wait.
    #expect(try open("moved").texts() == ["0", "1", "2"])
  }

  @Test(arguments: [true, false])
  func `a journal recreates its file only after a foreign file at its path is removed`(
    isFolder: Bool
  ) async throws {
    let journal = try queue.open()
    journal.append("first")
    try FolderChange.fileRemoved.make(in: queue.folder)
    let text = String(repeating: "the text of another program. ", count: 9)
    if isFolder {
      try queue.folder.makeFolder("queue/queue")
    } else {
      try queue.folder.write(text, to: "queue/queue")
    }
    #expect(journal.texts() == ["first"] && reports == [.damaged])
    #expect(try isFolder || queue.folder.text("queue/queue") == text)
    try FileManager.default.removeItem(atPath: queue.file)
    #expect(
      await Patience.waitIdly {
        _ = journal.texts()
        return reports == [.damaged, .damaged]
      })
    journal.close()
    #expect(try open().texts() == ["first"])
  }

  @Test func `a journal whose file was moved away uses the file again once it is moved back`()
    async throws
  {
    let journal = try queue.open()
    journal.append("first")
    try FolderChange.folderMoved.make(in: queue.folder)
    try queue.folder.write("in the way", to: "queue")
    #expect(journal.texts() == ["first"] && reports == [.damaged])
    try FileManager.default.removeItem(atPath: queue.folder.path("queue"))
    try FileManager.default.moveItem(
      atPath: queue.folder.path("moved"), toPath: queue.folder.path("queue"))
    #expect(journal.texts() == ["first"] && reports == [.damaged, .recovered])
    journal.close()
    #expect(try open().texts() == ["first"])
  }

  @Test func `a journal reports an unwritable folder once and keeps records in memory`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let reports = Reports()
      try await TemporaryFolder.withoutRights { folder in
        try await Diagnostics.withInstance(reports) {
          let journal = try Journal(folder: folder.path("queue"))
          journal.append("first")
          try FileManager.default.removeItem(atPath: folder.path("queue"))
          try #require(chmod(folder.path, 0o555) == 0)
          let end = SystemClock.monotonic() + .milliseconds(2_500)
          #expect(
            await Patience.waitIdly {
              journal.append("next")
              return SystemClock.monotonic() > end && journal.texts().count == journal.count
            })
          #expect(reports.all.map(\.kind) == [.damaged])
          chmod(folder.path, 0o755)
          #expect(
            await Patience.waitIdly {
              journal.append("next")
              return reports.all.map(\.kind) == [.damaged, .damaged]
            })
          let texts = journal.texts()
          journal.close()
          #expect(try Journal(folder: folder.path("queue")).texts() == texts)
          #expect(texts.count > 2 && journal.dropped == Journal.Dropped())
        }
      }
    }
  }

  @Test func `a journal refuses records in a forked process and reports this once`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let reports = Reports()
      try Diagnostics.withInstance(reports) {
        let journal = try Journal(folder: folder.path)
        journal.append("parent's")
        let end = statusOfFork {
          let isTaken = journal.append("one") || journal.append("two")
          return !isTaken && reports.all.map(\.kind) == [.fork] ? 0 : 1
        }
        #expect(end == 0 && reports.all == [])
        #expect(journal.texts() == ["parent's"])
      }
    }
  }
}
