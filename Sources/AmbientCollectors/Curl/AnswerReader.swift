// SPDX-License-Identifier: Apache-2.0

/// A parser of the header lines and body bytes that libcurl passes on. It decides whether they are
/// a whole answer.
///
/// The lines of interim answers (100 to 199) and of trailers arrive by the same callback as those
/// of the final header. libcurl reports success for a connection that ends within a header, so an
/// answer counts only after the blank line of its final header.
package struct AnswerReader {
  /// The reason why the reader wants no more bytes.
  package enum Stop {
    /// The body is longer than its limit, or the connection changed to another protocol.
    case enough
    /// The headers, interim ones and trailers included, exceed their limit.
    case tooLong
    /// The status line is malformed, or a body came before the end of a header.
    case garbled
  }

  /// The maximum number of bytes of all headers together.
  package static let mostHeaderBytes = 65_536

  package private(set) var stop: Stop?
  /// The status, header and body of the final answer; nil until the blank line that ends its header
  /// has come.
  package var answer: HTTPAnswer? { isHeaderWhole ? partial : nil }
  /// Whether any byte of an answer came.
  package private(set) var hasBegun = false
  private var partial = HTTPAnswer(0)
  private var isHeaderWhole = false
  private var lastName: String?
  private var headerBytes = 0
  private let limit: Int

  /// - Parameter limit: The maximum number of bytes of a body that are read.
  package init(limit: Int) { self.limit = limit }

  /// Reads a header line, which includes its line end. Returns whether the reader wants more bytes.
  package mutating func take(line: some Collection<UInt8>) -> Bool {
    hasBegun = true
    headerBytes += line.count
    guard headerBytes <= Self.mostHeaderBytes else { return stops(.tooLong) }
    // Trailers are ignored.
    if isHeaderWhole { return true }
    var end = line.endIndex
    while end > line.startIndex {
      let before = line.index(end, offsetBy: -1)
      guard line[before] == 13 || line[before] == 10 else { break }
      end = before
    }
    let text = Self.text(line[..<end])
    if text.isEmpty { return endHeader() }
    if partial.status == 0 { return takeStatus(text) }
    if let lastName, text.first == " " || text.first == "\t" {
      // This is a folded line, which continues the previous field (RFC 9112, 5.2).
      partial.headers[lastName, default: ""] += " " + Self.trimmed(text)
      return true
    }
    guard let colon = text.firstIndex(of: ":") else { return true }
    let name = Self.trimmed(text[..<colon]).lowercased()
    let value = Self.trimmed(text[text.index(after: colon)...])
    if let known = partial.headers.index(forKey: name) {
      // Appends in place. If a field is repeated thousands of times, copying its value each time
      // would take quadratic time.
      partial.headers.values[known] += ", \(value)"
    } else {
      partial.headers[name] = value
    }
    lastName = name
    return true
  }

  /// Appends a piece of the body. Returns whether the reader wants more bytes.
  package mutating func take(body: UnsafeRawBufferPointer) -> Bool {
    hasBegun = true
    guard isHeaderWhole else { return stops(.garbled) }
    let room = max(0, limit - partial.body.count)
    partial.body.append(contentsOf: body.prefix(room))
    partial.isCut = body.count > room
    return partial.isCut ? stops(.enough) : true
  }

  private mutating func stops(_ reason: Stop) -> Bool {
    stop = reason
    return false
  }

  private mutating func endHeader() -> Bool {
    guard partial.status > 0 else { return true }
    if (100..<200).contains(partial.status), partial.status != 101 {
      partial = HTTPAnswer(0)
      lastName = nil
      return true
    }
    isHeaderWhole = true
    // Status 101 changes the protocol, although no request asks for that: the bytes that follow are
    // not HTTP, and may never end.
    return partial.status == 101 ? stops(.enough) : true
  }

  /// Parses a status line such as `HTTP/1.1 200 OK`; everything after the digits is optional.
  private mutating func takeStatus(_ text: String) -> Bool {
    let rest = text.drop { $0 != " " }.drop { $0 == " " }
    let digits = rest.utf8.prefix { (48...57).contains($0) }
    guard text.hasPrefix("HTTP/"), digits.count == 3, let status = Int(Substring(digits)),
      status >= 100
    else { return stops(.garbled) }
    partial.status = status
    return true
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(start[...$0]) } ?? ""
  }

  /// Decodes the bytes as UTF-8. If they are invalid UTF-8, decodes them as Latin-1, the older
  /// charset of fields (RFC 9110, 5.5).
  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
