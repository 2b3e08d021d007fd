import Foundation
import TestSupport
import Testing

@testable import Ambient

/// The buffer's file goes away while its log is in use: by a cleaner of temporary files, or with its
/// folder.
@Suite final class `A log whose buffer was removed`: Sendable {
  private let folder = TemporaryFolder()
  private let reports = Guarded<[String]>([])

  private func buffers(_ name: String = "logs") -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(name))) ?? []
    return names.filter { $0.hasSuffix(".buffer") }
  }

  private func log(bufferFolder: String? = nil) throws -> FileLog {
    let options = FileOptions(bufferFolder: bufferFolder)
    return try FileLog(path: folder.path("logs/shop.log"), level: .info, file: options)
  }

  /// Logs until there is a buffer that was not there before.
  private func logUntilMade(_ log: FileLog, in name: String = "logs") async throws -> Int {
    var lines = 0
    #expect(
      await Patience.waitIdly {
        log.info("\(lines)")
        lines += 1
        log.flush()
        return !buffers(name).isEmpty
      })
    return lines
  }

  private func recording<R>(_ body: () async throws -> R) async rethrows -> R {
    let diagnostics = Diagnostics.calling { [self] diagnostic in
      reports.withLock { $0.append(diagnostic.message) }
    }
    return try await Diagnostics.withInstance(diagnostics, body)
  }

  @Test func `has another, in which lines survive again`() async throws {
    let log = try log()
    try await recording {
      let before = try await logUntilMade(log)
      try FileManager.default.removeItem(atPath: folder.path("logs"))
      let lines = try await logUntilMade(log)
      #expect(lines > 0 && before > 0 && buffers().count == 1)
      log.info("waits")
      // As the death of its owner would leave it, under the lock of none.
      let path = folder.path("logs/\(buffers()[0])")
      let copy = try #require(FileManager.default.contents(atPath: path))
      try copy.write(to: URL(filePath: folder.path("logs/\(buffers()[0].dropLast(7))0.buffer")))
      #expect(try FileLog.recover(path: folder.path("logs/shop.log")) == 1)
    }
    #expect(try folder.text("logs/shop.log").contains("waits"))
    let told = reports.withLock { $0 }
    #expect(told.count { $0.contains("was removed") } == 1, "\(told)")
    #expect(log.lostRecords == 0)
  }

  @Test func `says once that there can be no other, and has one when there can`() async throws {
    let log = try log(bufferFolder: folder.path("buffers"))
    try await recording {
      _ = try await logUntilMade(log, in: "buffers")
      try FileManager.default.removeItem(atPath: folder.path("buffers"))
      // A file in the place of the folder.
      try folder.write("", to: "buffers")
      #expect(
        await Patience.waitIdly {
          log.info("while there is none")
          log.flush()
          return reports.withLock { $0.contains { $0.contains("no other can be made") } }
        })
      try FileManager.default.removeItem(atPath: folder.path("buffers"))
      _ = try await logUntilMade(log, in: "buffers")
    }
    let told = reports.withLock { $0 }
    #expect(told.count { $0.contains("no other can be made") } == 1, "\(told)")
    #expect(told.count { $0.contains("Another was made") } == 1, "\(told)")
    #expect(log.lostRecords == 0)
  }
}
