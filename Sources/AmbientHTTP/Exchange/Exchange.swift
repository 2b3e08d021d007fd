public import Foundation

/// What is sent to a server.
public struct OutgoingRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// Where to, with the query.
  public var url: URL
  /// The method, as `POST`.
  public var method: String
  /// The header fields; what the system adds itself (`Host`, `Content-Length`) is not among them.
  public var headers: [String: String]
  /// The body.
  public var body: [UInt8]
  /// Whether the server may have it again.
  ///
  /// A connection that is used again may end just then, without an answer; the system then sends
  /// the request once more by itself. One that is not repeatable has a connection of its own.
  public var isRepeatable: Bool

  /// A request.
  public init(
    _ method: String = "POST", _ url: URL, headers: [String: String] = [:], body: [UInt8],
    isRepeatable: Bool = true
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.isRepeatable = isRepeatable
  }

  /// Method, address and length: no query and no header, since secrets stand there.
  public var description: String { "\(method) \(url.withoutSecrets), \(body.count) bytes" }

  /// No more than the description has.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["method": method, "url": url.withoutSecrets, "body": "\(body.count) bytes"])
  }
}

/// What a server answered.
public struct Answer: Sendable {
  /// The status, as 204.
  public var status: Int
  /// The header fields, their names in lower case; of one that came several times the values,
  /// joined by a comma.
  public var headers: [String: String]
  /// The body, or as much of it as was read.
  public var body: [UInt8]
  /// Whether there was more of the body than is read.
  public var isCut: Bool
  /// Whether it is a redirect that would have been followed, had there not been too many before it.
  public var isRedirectedTooOften: Bool = false
  /// What nothing that is shown of it has.
  package var secrets = Secrets()

  /// An answer.
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

  /// What a report may show of words in it: in one line, so many characters at most, and never more
  /// than 10,000.
  ///
  /// They are without the secrets of the ``Destination`` that is asked what the answer means, which
  /// are looked for in so much of them that nothing of one is left where they are cut.
  public func shown(_ words: String, atMost longest: Int = 300) -> String {
    let longest = min(max(0, longest), 10_000)
    let text = secrets.hidden(in: String(words.prefix(2 * longest + 1_000)))
    return String(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(longest))
  }
}

/// What carries a request to a server and brings the answer.
///
/// ``HTTPClient`` does; a test scripts another. Called for one request after another.
public protocol Transport: Sendable {
  /// Sends the request, and waits for the whole answer.
  ///
  /// Must end when its task is cancelled. What the scope of virtual time cannot see stands in
  /// `Time.hold`.
  func exchange(_ request: OutgoingRequest, _ limits: ExchangeLimits) async throws(TransportError)
    -> Answer
}

/// How long an exchange may take, and how much of an answer is read.
public struct ExchangeLimits: Hashable, Sendable {
  /// How long the whole of it may take, from the connection to the last byte of the answer: ten
  /// days at most, and no negative time.
  public var duration: Duration { didSet { duration = Self.inRange(duration) } }
  /// How many bytes of an answer's body are read.
  public var answerBytes: Int

  /// Limits; each is within its range, or brought there: ten days at most, and no negative number.
  public init(duration: Duration = .seconds(30), answerBytes: Int = 65_536) {
    self.duration = Self.inRange(duration)
    self.answerBytes = max(0, answerBytes)
  }

  /// Systems count milliseconds in 32 bits.
  private static func inRange(_ duration: Duration) -> Duration {
    min(max(.zero, duration), .seconds(864_000))
  }
}

extension URL {
  /// Scheme, host, port and path: what stands in neither is where secrets stand.
  package var withoutSecrets: String {
    let port = port.map { ":\($0)" } ?? ""
    return
      "\(scheme ?? "")://\(host(percentEncoded: true) ?? "")\(port)\(path(percentEncoded: true))"
  }

  /// Whether both are of one scheme, host and port.
  package func hasOrigin(of other: URL) -> Bool {
    func origin(_ url: URL) -> [String] {
      let scheme = url.scheme?.lowercased() ?? ""
      let port = url.port ?? (scheme == "https" ? 443 : 80)
      return [scheme, url.host()?.lowercased() ?? "", "\(port)"]
    }
    return origin(self) == origin(other)
  }
}
