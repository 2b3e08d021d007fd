// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Who appends to a file and rotates it, as a log does.
struct RotatingFile {
  let path: String
  var rotator: Rotator
  private var file: FileDescriptor
  private(set) var outcomes: [RotationOutcome] = []

  init(
    _ path: String, _ rotation: FileRotation, at now: String = "2026-11-26T12:00:00Z",
    pause: Duration = .zero, patience: Duration = .seconds(5),
    compression: RotationCompressor.Settings = .init(rest: .zero)
  ) throws {
    self.path = path
    file = try FileDescriptor.appending(to: path)
    let rotator = Rotator(
      path: path, rotation, mode: 0o644, now: try Date(iso8601: now), source: "Test",
      pause: pause, patience: patience, compression: compression)
    self.rotator = try #require(rotator)
  }

  /// Writes a line, after a rotation if one is due, and returns what came of that.
  @discardableResult
  mutating func write(_ line: String, at now: String = "2026-11-26T12:00:00Z") throws
    -> RotationOutcome?
  {
    let now = try Date(iso8601: now)
    var outcome: RotationOutcome?
    let size = Int(lseek(file.number, 0, SEEK_END))
    let bytes = Array("\(line)\n".utf8)
    if rotator.isDue(size: size, adding: bytes.count, now: now) {
      let identity = try #require(file.identity)
      outcome = rotator.rotate(identity, adding: bytes.count, now: now)
      switch outcome {
      case .rotated, .replaced:
        file.close()
        file = try FileDescriptor.appending(to: path)
      default: break
      }
    }
    try bytes.withUnsafeBytes { try file.writeAll($0) }
    outcome.map { outcomes.append($0) }
    return outcome
  }

  func close() { file.close() }
}

extension TemporaryFolder {
  /// The names in the folder, but for those of the lock and of the order of files.
  var names: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return all.filter { !$0.hasSuffix(".rotation") && !$0.hasSuffix(".order") }.sorted()
  }

  /// What stands in each of those files, whose lines are joined by spaces.
  var contents: [String: String] {
    get throws {
      var contents: [String: String] = [:]
      for name in names {
        contents[name] = try text(name).split(separator: "\n").joined(separator: " ")
      }
      return contents
    }
  }

  /// What stands in a compressed file.
  func unzipped(_ name: String) async throws -> String {
    let command = try await Command.run("gzip", "-dc", path(name))
    try #require(command.status == 0, "\(command.output)")
    return command.output
  }

  func setModified(_ name: String, _ date: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: try Date(iso8601: date)], ofItemAtPath: path(name))
  }
}

extension LogZone {
  static func named(_ name: String) throws -> LogZone {
    .timeZone(try #require(TimeZone(identifier: name)))
  }
}

/// A lock (flock(2)) that somebody else has.
struct ForeignLock {
  private let file: FileDescriptor

  /// Waits for nobody.
  init?(_ path: String) {
    file = FileDescriptor(number: open(path, O_RDWR | O_CLOEXEC))
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
      file.close()
      return nil
    }
  }

  func release() {
    // Said, since what other tests start just now has the file open, too.
    flock(file.number, LOCK_UN)
    file.close()
  }
}
