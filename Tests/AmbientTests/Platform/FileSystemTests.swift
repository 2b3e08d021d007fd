// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Folder creation` {
  private let folder = TemporaryFolder()

  @Test func `makeFolders() creates missing parent folders and accepts folders that already exist`()
    throws
  {
    try FileSystem.makeFolders(folder.path("a/b//c/"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "a/b")
    try FileSystem.makeFolders(folder.path("link"))
    try FileSystem.makeFolders(folder.path("link/d"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("a/b")).count == 2)
  }

  @Test(arguments: ["there", "there/below"])
  func `makeFolders() throws if a part of the path is a dangling symbolic link or a file`(
    _ name: String
  ) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("there"), withDestinationPath: "nothing")
    #expect(throws: SystemError.inTheWay) { try FileSystem.makeFolders(folder.path(name)) }
    try FileManager.default.removeItem(atPath: folder.path("there"))
    try folder.write("a file", to: "there")
    #expect(throws: SystemError.notAFolder) { try FileSystem.makeFolders(folder.path(name)) }
    #expect(throws: SystemError(number: ENOENT)) { try FileSystem.makeFolders("") }
  }
}

@Suite struct `Path joining` {
  @Test(arguments: [("a", "a/q"), ("a/", "a/q"), ("/", "/q"), ("~", "~/q"), ("", "q")])
  func `joining a folder and a name adds at most one slash and doesn't expand a tilde`(
    _ folder: String, _ path: String
  ) {
    #expect(FileSystem.path("q", in: folder) == path)
  }
}

@Suite struct `File paths` {
  @Test(arguments: [
    ("a", ".", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("/a/b/c", "/a/b", "c"),
    ("a/", "a", ""), ("", ".", ""), ("~/a", "~", "a"),
  ])
  func `a path is split into its folder and name`(path: String, folder: String, name: String) {
    let parts = FileSystem.split(path)
    #expect(parts.folder == folder && parts.name == name)
  }

  @Test(arguments: [
    ("/", "/"), ("/a", "/a"), ("//a/./b/", "/a/b"), ("/a/../b", "/a/../b"), ("/.a/...", "/.a/..."),
  ])
  func `making a path absolute removes extra slashes and components that are a single dot`(
    path: String, absolute: String
  ) {
    #expect(FileSystem.absolute(path) == absolute)
  }

  @Test
  func `FileSystem absolute() prepends the current folder, resolved() follows symbolic links`()
    throws
  {
    let here = FileSystem.absolute(FileManager.default.currentDirectoryPath)
    #expect(FileSystem.absolute("a/./b") == FileSystem.path("a/b", in: here))
    #expect(FileSystem.absolute("") == here)
    let folder = TemporaryFolder()
    let place = FileSystem.resolved(folder.path)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "file")
    #expect(FileSystem.resolved(folder.path("link")) == folder.path("link"), "it leads nowhere")
    #expect(FileSystem.exists(folder.path("link")) && !FileSystem.exists(folder.path("file")))
    try folder.write("", to: "file")
    #expect(FileSystem.resolved(folder.path("link")) == "\(place)/file")
  }
}

@Suite struct `Small files` {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("small") }

  private func permissions(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
  }

  @Test(arguments: [true, false])
  func `FileSystem replace() replaces a file's whole text and sets its permissions`(
    _ isDurable: Bool
  ) throws {
    try folder.write("a longer text than the next", to: "small")
    try FileSystem.replace(path, by: "text", permissions: 0o640, isDurable: isDurable)
    #expect(try folder.text("small") == "text")
    #expect(permissions(of: path) == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["small"])
  }

  @Test(arguments: Obstacle.allCases)
  func `FileSystem replace() never writes through a link or pipe at the file's path`(
    _ obstacle: Obstacle
  ) throws {
    for place in [path, "\(path).\(getpid()).new"] where place == path || obstacle != .folder {
      try obstacle.place(at: place, in: folder)
      if place == path, obstacle == .folder {
        #expect(throws: SystemError.self) {
          try FileSystem.replace(path, by: "x", isDurable: false)
        }
      } else {
        try FileSystem.replace(path, by: "text", isDurable: false)
        #expect(try FileStatus(at: path).isFile && folder.text("small") == "text")
        #expect(permissions(of: path) == 0o600)
      }
      try obstacle.expectVictimUntouched(in: folder)
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `if no descriptor is free, reading a file throws EMFILE instead of returning nil`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      try folder.write("text", to: "file")
      let path = folder.path("file")
      precondition(ResourceLimit.openFiles.set(0, most: 1_024))
      let error = #expect(throws: SystemError.self) { try FileSystem.text(path, limit: 10) }
      let others = #expect(throws: SystemError.self) { try FileSystem.names(in: folder.path) }
      ResourceLimit.openFiles.set(1_024)
      precondition(error == SystemError(number: EMFILE) && others == error, "\(error as Any)")
      let text = try FileSystem.text(path, limit: 10)
      precondition(text == "text")
    }
  }

  @Test func `FileSystem text() returns nil for links, pipes, invalid UTF-8 and too long files`()
    throws
  {
    try folder.write("12345", to: "small")
    #expect(try FileSystem.text(path, limit: 5) == "12345")
    #expect(try FileSystem.text(path, limit: 4) == nil)
    #expect(try FileSystem.text(folder.path("none"), limit: 4) == nil)
    try Obstacle.link.place(at: folder.path("link"), in: folder)
    try Obstacle.pipe.place(at: folder.path("pipe"), in: folder)
    try Data([0xFF, 0xFE]).write(to: URL(filePath: folder.path("bytes")))
    for name in ["link", "pipe", "bytes"] {
      #expect(try FileSystem.text(folder.path(name), limit: 100) == nil, "\(name)")
    }
  }

  @Test func `FileSystem bytes() returns at most the given count of bytes and throws for a folder`()
    throws
  {
    try folder.write("12345", to: "small")
    for (count, text) in [(0, ""), (4, "1234"), (5, "12345"), (9, "12345")] {
      #expect(try FileSystem.bytes(path, upTo: count) == Array(text.utf8))
    }
    #expect(throws: SystemError.inTheWay) { try FileSystem.bytes(folder.path, upTo: 1) }
    #expect(throws: SystemError(number: ENOENT)) {
      try FileSystem.bytes(folder.path("none"), upTo: 1)
    }
    for name in ["", "none", "small/below"] {
      #expect(try FileSystem.text(folder.path(name), limit: 100) == nil, "\(name)")
    }
    try folder.write("", to: "empty")
    #expect(try FileSystem.text(folder.path("empty"), limit: 0) == "")
  }

  @Test func `removeHalves() deletes only temporary files left by replacements of the given file`()
    throws
  {
    let others = [
      "small", "small.txt", "other.1.new", "smaller.1.new", "small-1.new", "small.new1",
    ]
    for name in others + ["small.1.new", "small.22.new"] { try folder.write("", to: name) }
    try FileSystem.removeHalves(of: path)
    #expect(try Set(FileSystem.names(in: folder.path)) == Set(others + [".", ".."]))
    try FileSystem.remove(path)
    try FileSystem.remove(path)
    #expect(!FileSystem.exists(path))
    #expect(throws: SystemError.self) { try FileSystem.remove(folder.path) }
    #expect(throws: SystemError(number: ENOENT)) { try FileSystem.names(in: path) }
    #expect(throws: SystemError(number: ENOENT)) { try FileSystem.removeHalves(of: path + "/a") }
  }

  @Test func `if FileSystem replace() fails, no temporary file is left behind`() throws {
    try folder.write("text", to: "small/file")
    #expect(throws: SystemError.self) { try FileSystem.replace(path, by: "x", isDurable: true) }
    #expect(try Set(FileSystem.names(in: folder.path)) == [".", "..", "small"])
    #expect(throws: SystemError(number: ENOENT)) {
      try FileSystem.replace(folder.path("none/small"), by: "x", isDurable: true)
    }
    #expect(throws: SystemError(number: ENOENT)) {
      try FileSystem.overwrite(path, by: folder.path("none"))
    }
  }

  @Test(arguments: Obstacle.allCases)
  func `FileSystem rename() throws if the new name is in use, and leaves that file untouched`(
    _ obstacle: Obstacle
  ) throws {
    try folder.write("own", to: "small")
    let other = folder.path("other")
    try obstacle.place(at: other, in: folder)
    #expect(throws: SystemError.inTheWay) { try FileSystem.rename(path, to: other) }
    try obstacle.expectUntouched(at: other, in: folder)
    try FileSystem.rename(path, to: folder.path("free"))
    #expect(try folder.text("free") == "own" && !FileSystem.exists(path))
  }

  @Test(arguments: Obstacle.allCases)
  func `a log rotation fails if a folder, link or pipe exists at its lock file's path`(
    _ obstacle: Obstacle
  ) throws {
    let lock = folder.path(".shop-log.rotation")
    try obstacle.place(at: lock, in: folder)
    var file = try RotatingFile(folder.path("shop.log"), .daily(zone: .utc))
    try file.write("1")
    guard case .failed(let failure)? = try file.write("2", at: "2026-11-27T12:00:00Z") else {
      return #expect(Bool(false))
    }
    #expect(failure.action == "lock" && failure.path == lock)
    try obstacle.expectUntouched(at: lock, in: folder)
    #expect(try folder.text("shop.log") == "1\n2\n")
  }
}
