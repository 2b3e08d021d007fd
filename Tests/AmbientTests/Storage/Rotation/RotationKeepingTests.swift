// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Archive retention` {
  let folder = TemporaryFolder()
  private var path: String { folder.path("shop.log") }

  private func write(_ lines: Int, _ rotation: FileRotation) throws {
    var file = try RotatingFile(path, rotation)
    for line in 0..<lines { try file.write("\(line)") }
    file.close()
  }

  @Test func `the rotation option keep limits the number of archives`() throws {
    try write(9, .size(2, keep: 3))
    #expect(
      try folder.contents == [
        "shop.log": "8", "shop.log.1": "7", "shop.log.2": "6", "shop.log.3": "5",
      ])
  }

  @Test func `the rotation option keep retains the dated archives with the highest copy numbers`()
    throws
  {
    try write(12, FileRotation(size: 2, zone: .utc, keep: 2, names: .dated))
    #expect(
      try folder.contents == [
        "shop.log": "11", "shop.log.2026-11-26.11": "10", "shop.log.2026-11-26.10": "9",
      ])
  }

  @Test func `with the rotation option keep set to 0, no archive remains`() throws {
    try write(3, .size(2, keep: 0))
    #expect(try folder.contents == ["shop.log": "2"])
  }

  @Test func `the rotation option keepSize limits the total size of plain and compressed archives`()
    throws
  {
    try write(4, .size(2))
    try folder.write(String(repeating: "x", count: 50), to: "shop.log.4.gz")
    try write(1, FileRotation(size: 2, keepSize: 100))
    #expect(folder.names.contains("shop.log.5.gz"))
    try write(1, FileRotation(size: 2, keepSize: 50))
    #expect(folder.names == ["shop.log"] + (1...5).map { "shop.log.\($0)" })
    try write(1, FileRotation(size: 2, keepSize: 5))
    #expect(folder.names == ["shop.log", "shop.log.1", "shop.log.2"])
  }

  @Test func `archives are removed once their last line is older than the rotation option keepAge`()
    throws
  {
    try write(4, .size(2))
    try folder.setModified("shop.log", "2026-11-26T11:59:00Z")
    try folder.setModified("shop.log.1", "2026-11-25T12:00:01Z")
    try folder.setModified("shop.log.2", "2026-11-25T11:59:59Z")
    try folder.setModified("shop.log.3", "2026-11-20T12:00:00Z")
    try write(1, FileRotation(size: 2, keepAge: .seconds(86_400)))
    #expect(folder.names == ["shop.log", "shop.log.1", "shop.log.2"])
  }

  private static let foreign = [
    "shop.log.old", "shop.log.01", "shop.log.0", "shop.log.1.bak", "shop.log.1.gz.2", "shop.log.",
    "shop.log.20261101", "shop.log.2026-13-01", "shop.log.2026-02-29", "shop.log.2026-11-01.1",
    "shop.log.2026-11-01T24", "shop.log.2026-11-01.2.3", "shop.log.-1", "shop.log.+1",
    "shop.logs.1", "Shop.log.1", "shop.log.gz", "shop.log.1 ",
  ]

  @Test(arguments: FileRotation.Names.allCases)
  func `even with the option keep set to 0, a rotation removes only files that are archives`(
    names: FileRotation.Names
  ) throws {
    for name in Self.foreign { try folder.write(name, to: name) }
    try folder.makeFolder("shop.log.2020-01-01")
    try folder.makeFolder("shop.log.99")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("shop.log.2020-01-02"), withDestinationPath: folder.path("shop.log.old"))
    let before = folder.names
    try write(5, FileRotation(size: 2, zone: .utc, keep: 0, keepAge: .zero, names: names))
    #expect(folder.names == (before + ["shop.log"]).sorted())
    for name in Self.foreign { #expect(try folder.text(name) == name) }
  }

  @Test func `if the rotation option names changes, archives with the old kind of name stay`()
    throws
  {
    try write(3, .size(2))
    try folder.setModified("shop.log", "2026-11-26T11:00:00Z")
    try write(3, FileRotation(size: 2, zone: .utc, keep: 1, names: .dated))
    #expect(
      folder.names == ["shop.log", "shop.log.1", "shop.log.2026-11-26.3", "shop.log.2"].sorted())
  }

  @Test func `a rotation renumbers archives only up to the first gap in their numbers`() throws {
    try write(5, .size(2))
    try FileManager.default.removeItem(atPath: folder.path("shop.log.2"))
    try write(1, .size(2))
    #expect(
      try folder.contents == [
        "shop.log": "0", "shop.log.1": "4", "shop.log.2": "3", "shop.log.3": "1",
        "shop.log.4": "0",
      ])
  }
}
