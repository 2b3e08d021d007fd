public import Foundation

/// A request to a server.
public struct OutgoingRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The address, with the query.
  public var url: URL
  /// The method, as `POST`.
  public var method: String
  /// The header fields, without those that the system adds (`Host`, `Content-Length`).
  public var headers: [String: String]
  /// The body.
  public var body: [UInt8]
  /// Whether the server may receive the request twice.
  ///
  /// A reused connection may end without an answer just when a request is sent; the system then
  /// repeats the request by itself. libcurl gives a request that is not repeatable a connection of
  /// its own; Apple's URLSession has no such choice, and may repeat it.
  public var isRepeatable: Bool
  /// The compression by ``HTTPClient``; any other transport gets the body uncompressed.
  public var compression: BodyCompression

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: The method, in capitals.
  ///   - url: The address of http or https, with the query.
  ///   - headers: The header fields, without those that the system adds (`Host`, `Content-Length`).
  ///   - body: The bytes of the body; empty for none.
  ///   - isRepeatable: Whether the server may receive the request twice; see ``isRepeatable``.
  ///   - compression: The compression by ``HTTPClient``.
  public init(
    _ method: String = "POST", _ url: URL, headers: [String: String] = [:], body: [UInt8],
    isRepeatable: Bool = true, compression: BodyCompression = .none
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.isRepeatable = isRepeatable
    self.compression = compression
  }

  /// Method, address and length, without query and headers, which may hold secrets.
  public var description: String { "\(method) \(url.withoutSecrets), \(body.count) bytes" }

  /// The description only.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["method": method, "url": url.withoutSecrets, "body": "\(body.count) bytes"])
  }
}

/// A server's answer.
public struct HTTPAnswer: Sendable {
  /// The status, as 204.
  public var status: Int
  /// The header fields, their names in lower case; values of a repeated field are joined by commas.
  public var headers: [String: String]
  /// The body, or as much of it as was read.
  public var body: [UInt8]
  /// Whether the body was longer than the limit.
  public var isCut: Bool
  /// Whether the answer is a redirect that was not followed after too many others.
  public var isRedirectedTooOften: Bool = false
  /// The texts that ``shown(_:atMost:)`` hides; asked for when something is shown.
  package var secrets: @Sendable () -> Secrets = { Secrets() }

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - status: The status, as 204.
  ///   - headers: The header fields, with their names in lower case.
  ///   - body: The body, or as much of it as was read.
  ///   - isCut: Whether the body was longer than the limit.
  public init(
    _ status: Int, headers: [String: String] = [:], body: [UInt8] = [], isCut: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isCut = isCut
  }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The words in a form for reports: in one line, shortened, without secrets.
  ///
  /// At most `longest` characters, and never more than 10,000. The secrets are those of the
  /// destination that judges the answer, and the words about users and in properties of the
  /// request's events; they are searched for in a longer part, so that none is left half at the
  /// cut.
  ///
  /// - Parameters:
  ///   - words: The words, as ``text`` or a part of it.
  ///   - longest: The most characters of the result.
  /// - Returns: The words in one line, with a mark in place of each secret.
  public func shown(_ words: String, atMost longest: Int = 300) -> String {
    let longest = min(max(0, longest), 10_000)
    let text = secrets().hidden(in: String(words.prefix(2 * longest + 1_000)))
    return String(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(longest))
  }
}

/// Carries a request to a server, and returns the answer.
///
/// ``HTTPClient`` is one; a test scripts another. Called for one request after another.
public protocol HTTPTransport: Sendable {
  /// Sends the request, and waits for the whole answer.
  ///
  /// Must end when its task is cancelled. Work that a scope of virtual time cannot see must run in
  /// `Time.hold`.
  ///
  /// - Parameters:
  ///   - request: The request; its body is sent uncompressed unless the transport compresses it.
  ///   - limits: The limits, which the transport keeps itself.
  /// - Returns: The answer, whatever its status; a longer body is cut at the limit.
  /// - Throws: ``TransportError``, with whether the request may have reached the server.
  func exchange(_ request: OutgoingRequest, _ limits: ExchangeLimits) async throws(TransportError)
    -> HTTPAnswer
}

/// The limits of an exchange: its duration, and the size of the answer.
public struct ExchangeLimits: Hashable, Sendable {
  /// The limit from the connection to the last byte of the answer, from zero to ten days.
  public var duration: Duration { didSet { duration = Self.inRange(duration) } }
  /// The bytes of an answer's body that are read.
  public var answerBytes: Int

  /// Limits; values out of range are clamped: zero to ten days, and no negative size.
  ///
  /// - Parameters:
  ///   - duration: The limit from the connection to the last byte of the answer.
  ///   - answerBytes: The bytes of an answer's body that are read; the rest is cut off.
  public init(duration: Duration = .seconds(30), answerBytes: Int = 65_536) {
    self.duration = Self.inRange(duration)
    self.answerBytes = max(0, answerBytes)
  }

  /// At most ten days: systems count milliseconds in 32 bits.
  private static func inRange(_ duration: Duration) -> Duration {
    min(max(.zero, duration), .seconds(864_000))
  }
}

extension URL {
  /// Scheme, host, port, and the path without parts that may be secret.
  package var withoutSecrets: String {
    let port = port.map { ":\($0)" } ?? ""
    let host = host(percentEncoded: true) ?? ""
    // Foundation takes the brackets off an address of IPv6.
    let shown = host.contains(":") ? "[\(host)]" : host
    return
      "\(scheme ?? "")://\(shown)\(port)\(Self.withoutSecrets(path: path(percentEncoded: true)))"
  }

  /// The path with `…` in place of each part that is not a plain word, as the parts of `/v1/logs`
  /// are: servers such as Slack's and Loggly's have tokens in the path.
  package static func withoutSecrets(path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { isPlain($0) ? $0 : "…" }.joined(separator: "/")
  }

  /// The hidden parts of the path, each as it is and without percent-encoding.
  package var secretsOfPath: [String] {
    path(percentEncoded: true).split(separator: "/").filter { !Self.isPlain($0) }
      .flatMap { [String($0), $0.removingPercentEncoding ?? ""] }
  }

  /// Whether a part of a path is a word in lower case, or the number of a version.
  private static func isPlain(_ part: Substring) -> Bool {
    guard part.utf8.count <= 20 else { return false }
    return part.wholeMatch(of: /([a-z]+([-_.][a-z]+)*|v?[0-9]{1,2})?/) != nil
  }

  /// Whether both have the same scheme, host and port.
  package func hasOrigin(of other: URL) -> Bool {
    func origin(_ url: URL) -> [String] {
      let scheme = url.scheme?.lowercased() ?? ""
      let port = url.port ?? (scheme == "https" ? 443 : 80)
      return [scheme, url.host()?.lowercased() ?? "", "\(port)"]
    }
    return origin(self) == origin(other)
  }
}
