// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// A server's answer.
public struct HTTPAnswer: Sendable {
  /// The status, such as 204.
  public var status: Int
  /// The header fields, their names in lower case; values of a repeated field are joined by commas.
  ///
  /// Collectors do not find a field, such as `retry-after`, under a name with capitals.
  public var headers: [String: String]
  /// The body, or as much of it as was read.
  public var body: [UInt8]
  /// Whether the body is incomplete: it was longer than the limit, or the exchange broke off.
  public var isCut: Bool
  /// Whether the answer is a redirect that was not followed, because too many came before it.
  package var isRedirectedTooOften = false
  /// Whether the exchange broke off after the header, so that the missing part may contradict the
  /// status; false by default.
  ///
  /// ``CollectorClient`` then also sets ``isCut``, even if only the end of the exchange is missing.
  public var isBrokenOff = false
  /// Returns the texts that ``shown(_:atMost:)`` hides; called only when something is shown.
  package var secrets: @Sendable () -> Secrets = { Secrets() }

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - status: The status, such as 204.
  ///   - headers: The header fields, with their names in lower case.
  ///   - body: The body, or as much of it as was read.
  ///   - isCut: Whether the body is incomplete.
  public init(
    _ status: Int, headers: [String: String] = [:], body: [UInt8] = [], isCut: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isCut = isCut
  }

  /// The body as text, with U+FFFD in place of bytes that are not UTF-8.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// Returns the words in a form for reports: in one line, shortened, without secrets and control
  /// characters.
  ///
  /// The result has at most `longest` characters, and never more than 10,000. It hides the secrets
  /// of the destination to which the request was sent. It also hides the words of the request's
  /// events (their users and properties) or log records (their messages and metadata). The method
  /// searches more of `words` for secrets than the result can hold, so that the result does not end
  /// with a part of a secret.
  ///
  /// - Parameters:
  ///   - words: The words, such as ``text`` or a part of it.
  ///   - longest: The maximum number of characters in the result.
  /// - Returns: The words in one line, with a mark in place of each secret.
  package func shown(_ words: String, atMost longest: Int = 300) -> String {
    let longest = min(max(0, longest), 10_000)
    let text = secrets().hidden(in: String(words.prefix(2 * longest + 1_000)))
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // An escape sequence is not cut.
    var (shown, room) = ("", longest)
    for character in line {
      let next = String(character).escaped
      room -= next.count
      if room < 0 { break }
      shown += next
    }
    return shown
  }
}
