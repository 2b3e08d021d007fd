// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite(.timeLimit(.minutes(30))) struct `Partial write search` {
  private let folder = TemporaryFolder()
  /// How much of the file is read at once.
  private static let window = 1 << 20

  /// Searches a file of that text for the batch.
  private func search(_ batch: String, in text: String) throws -> PartialWriteSearch {
    try folder.write(text, to: "shop.log")
    let file = try FileDescriptor.existing(folder.path("shop.log"), toWrite: false)
    defer { file.close() }
    return Array(batch.utf8).withUnsafeBytes { PartialWriteSearch(for: $0, in: file, from: 0) }
  }

  /// A line of so many bytes.
  private func line(_ length: Int) -> String { String(repeating: "x", count: length - 1) + "\n" }

  private let batch = (0..<10).map { "line number \($0)\n" }.joined()

  @Test(.withoutSanitizer, arguments: [0, 1, 13, 14, 15, 70, 139, 140, 141])
  func `PartialWriteSearch finds a whole batch that spans the end of a read window`(before: Int)
    throws
  {
    let start = Self.window - before
    for rest in ["", "of others\n"] {
      let search = try search(batch, in: line(start) + batch + rest)
      #expect((search.whole, search.end, search.torn) == (140, start + 140, 0))
    }
  }

  @Test func `PartialWriteSearch finds a batch that is longer than a read window`() throws {
    let long = (0..<200_000).map { "line \($0)\n" }.joined()
    for start in [100, Self.window - 100] {
      let search = try search(long, in: line(start) + long + line(Self.window))
      #expect((search.whole, search.end) == (long.utf8.count, start + long.utf8.count))
    }
  }

  @Test(.withoutSanitizer, arguments: [1, 13, 14, 70, 139])
  func `PartialWriteSearch finds the written part of a batch at the end of a read window`(cut: Int)
    throws
  {
    let start = Self.window - 70
    let search = try search(batch, in: line(start) + batch.prefix(cut))
    let whole = cut / 14 * 14
    #expect((search.whole, search.torn) == (whole, cut - whole))
  }

  @Test(arguments: [
    ("", 0, 0), ("x\n", 0, 0), ("a\nb\nc\n", 6, 0), ("x\na\nb\n", 4, 0), ("a\nb", 2, 1),
    ("x\na", 0, 1), ("xa\nb\n", 0, 0), ("a\nx\na\nb\nc\n", 6, 0), ("a\nb\nx\na\nb\nc", 4, 0),
    ("x\na\nx\na", 2, 0), ("a\nb\nc\nd", 6, 0), ("a\nx\na\nb", 2, 0), ("x\nb\nc\n", 0, 0),
  ])
  func `PartialWriteSearch finds the longest run of a batch's lines and a torn line after it`(
    _ text: String, _ whole: Int, _ torn: Int
  ) throws {
    let search = try search("a\nb\nc\n", in: text)
    #expect((search.whole, search.torn) == (whole, torn))
    #expect(search.size == text.utf8.count)
    // The first of two that are alike.
    let ends = [
      "a\nb": 2, "a\nx\na\nb\nc\n": 10, "a\nb\nx\na\nb\nc": 4, "a\nx\na\nb": 2, "x\na": 2,
    ]
    if let end = ends[text] { #expect(search.end == end) }
  }

  @Test func `PartialWriteSearch searches the file from the given offset`() throws {
    try folder.write("a\nb\nx\na\n", to: "shop.log")
    let file = try FileDescriptor.existing(folder.path("shop.log"), toWrite: false)
    defer { file.close() }
    let places = [0: (4, 4), 4: (2, 8), 6: (2, 8), 8: (0, 0), 99: (0, 0)]
    for (start, (whole, end)) in places {
      let search = Array("a\nb\n".utf8).withUnsafeBytes {
        PartialWriteSearch(for: $0, in: file, from: start)
      }
      #expect((search.whole, search.end) == (whole, end), "\(start)")
    }
  }
}
