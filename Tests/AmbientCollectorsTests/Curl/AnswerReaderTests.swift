// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Testing

@Suite struct `AnswerReader parsing` {
  /// A line that records an issue where it is read beyond its ends.
  private struct WatchedLine: RandomAccessCollection {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count }

    func index(before index: Int) -> Int { index - 1 }
    func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }

    subscript(index: Int) -> UInt8 {
      guard bytes.indices.contains(index) else {
        Issue.record("read at \(index) of \(bytes.count)")
        return 0
      }
      return bytes[index]
    }
  }

  private func take(_ line: String, _ reader: inout AnswerReader) -> Bool {
    reader.take(line: WatchedLine(line))
  }

  private func take(_ line: [UInt8], _ reader: inout AnswerReader) -> Bool {
    reader.take(line: line)
  }

  private func take(body: String, _ reader: inout AnswerReader) -> Bool {
    Array(body.utf8).withUnsafeBytes { reader.take(body: $0) }
  }

  @Test func `AnswerReader returns the status and header fields once it has read the blank line`() {
    var reader = AnswerReader(limit: 9)
    #expect(!reader.hasBegun)
    for line in [
      "\r\n", "HTTP/1.1  204 \t So\n", "X-A:1\r\n", "x-a: \t2 \t\r\n", "X-B : one\n", "\ttwo \r\n",
      "  three\r", "no field\r\n", " four", "X-C:\r\n", "X-D:  \t \r\n",
    ] {
      #expect(take(line, &reader))
      #expect(reader.answer == nil && reader.stop == nil && reader.hasBegun)
    }
    #expect(take("\n", &reader))
    #expect(reader.answer?.status == 204)
    let fields = ["x-a": "1, 2", "x-b": "one two three four", "x-c": "", "x-d": ""]
    #expect(reader.answer?.headers == fields)
    // Trailers are no fields.
    #expect(take("X-E: 1\r\n", &reader) && take("\r\n", &reader))
    #expect(reader.answer?.headers == fields)
    #expect(reader.answer?.isCut == false && reader.answer?.isRedirectedTooOften == false)
  }

  @Test func `AnswerReader discards the header fields of an interim (1xx) response`() {
    var reader = AnswerReader(limit: 9)
    for line in ["HTTP/1.1 103 So\r\n", "Link: <x>\r\n", "\r\n", "HTTP/1.1 200 So\r\n", " y\r\n"] {
      #expect(take(line, &reader))
    }
    #expect(take("\r\n", &reader))
    #expect(reader.answer?.status == 200 && reader.answer?.headers == [:])
  }

  @Test(arguments: [
    ("HTTP/1.1 100", nil), ("HTTP/1.1 102 So", nil), ("HTTP/1.1 199 So", nil),
    ("HTTP/1.0 200 So", 200), ("HTTP/2 201", 201), ("HTTP/1.1 999 So", 999),
  ])
  func `AnswerReader accepts a status line with a three-digit status`(line: String, status: Int?) {
    var reader = AnswerReader(limit: 9)
    #expect(take(line + "\r\n", &reader) && take("\r\n", &reader))
    #expect(reader.answer?.status == status && reader.stop == nil)
  }

  @Test(arguments: [
    "HTTP/1.1 20 So", "HTTP/1.1 2000 So", "HTTP/1.1 099 So", "HTTP/1.1 abc", "HTTP/1.1",
    "ICY 200 So", "X-A: 1",
  ])
  func `at an invalid status line, AnswerReader calls the answer garbled`(line: String) {
    var reader = AnswerReader(limit: 9)
    #expect(!take(line + "\r\n", &reader))
    #expect(reader.stop == .garbled && reader.answer == nil)
  }

  @Test func `AnswerReader stops reading after the header of a 101 response`() {
    var reader = AnswerReader(limit: 9)
    #expect(take("HTTP/1.1 101 So\r\n", &reader))
    #expect(!take("\r\n", &reader))
    #expect(reader.stop == .enough && reader.answer?.status == 101)
  }

  @Test(arguments: [
    (["ab", "cd", ""], "abcd", false), (["ab", "cd", "", "e"], "abcd", true),
    (["abcd"], "abcd", false), (["abcde"], "abcd", true), (["abc", "def"], "abcd", true),
  ])
  func `AnswerReader cuts a response body that is longer than the byte limit`(
    pieces: [String], text: String, isCut: Bool
  ) {
    var reader = AnswerReader(limit: 4)
    #expect(take("HTTP/1.1 200 So\r\n", &reader))
    #expect(take("\r\n", &reader))
    for (number, piece) in pieces.enumerated() {
      #expect(take(body: piece, &reader) == !(isCut && number == pieces.count - 1))
    }
    #expect(reader.answer?.text == text && reader.answer?.isCut == isCut)
    #expect(reader.stop == (isCut ? .enough : nil))
  }

  @Test func `if a body comes before the header ends, AnswerReader calls the answer garbled`() {
    var reader = AnswerReader(limit: 4)
    #expect(!take(body: "body", &reader))
    #expect(reader.hasBegun && reader.stop == .garbled && reader.answer == nil)
  }

  @Test(arguments: [(65_536, true), (65_537, false)])
  func `AnswerReader stops if header lines and trailers have more than 64 KiB in total`(
    length: Int, isTaken: Bool
  ) {
    let status = "HTTP/1.1 200 So\r\n"
    for isTrailer in [false, true] {
      var reader = AnswerReader(limit: 4)
      #expect(take(status, &reader))
      if isTrailer { #expect(take("\r\n", &reader)) }
      let left = length - status.utf8.count - (isTrailer ? 2 : 0)
      let line = Array("X: ".utf8) + Array(repeating: 120, count: left - 5) + [13, 10]
      #expect(take(line, &reader) == isTaken)
      #expect(reader.stop == (isTaken ? nil : .tooLong))
    }
  }

  @Test func `AnswerReader reads a header value that isn't UTF-8 as Latin-1`() {
    var reader = AnswerReader(limit: 4)
    #expect(take("HTTP/1.1 200 So\r\n", &reader))
    #expect(take(Array("A: \u{e9}\r\n".utf8), &reader))
    #expect(take(Array("B: ".utf8) + [0xE9, 13, 10], &reader))
    #expect(take("\r\n", &reader))
    #expect(reader.answer?.headers == ["a": "\u{e9}", "b": "\u{e9}"])
  }
}
