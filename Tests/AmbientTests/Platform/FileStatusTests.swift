// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `File status` {
  private let folder = TemporaryFolder()

  @Test func `FileStatus returns a file's permissions, size, modification date and identity`()
    throws
  {
    try folder.write("12345", to: "file")
    let path = folder.path("file")
    let date = Date(timeIntervalSince1970: 1_795_755_600.25)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640, .modificationDate: date], ofItemAtPath: path)
    let status = try FileStatus(at: path)
    #expect(status.isFile && status.permissions == 0o640 && status.size == 5)
    #expect(abs(status.modified.timeIntervalSince(date)) < 1e-5)
    #expect(status.identity == FileDescriptor.identity(at: path))
    #expect(try FileStatus(at: path) == status)
  }

  @Test func `FileStatus describes a symbolic link, not its target, and throws for a missing path`()
    throws
  {
    try folder.write("12345", to: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "file")
    let link = try FileStatus(at: folder.path("link"))
    #expect(!link.isFile && link.size == 4)
    #expect(try link.identity != FileStatus(at: folder.path("file")).identity)
    #expect(try !FileStatus(at: folder.path).isFile)
    #expect(throws: SystemError(number: ENOENT)) { try FileStatus(at: folder.path("none")) }
    #expect(throws: SystemError.notAFolder) { try FileStatus(at: folder.path("file/below")) }
  }
}
