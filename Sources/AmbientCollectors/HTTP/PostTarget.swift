// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A collector's address and header fields, checked once when the collector is made.
package struct PostTarget: Sendable {
  /// The address without user and password, which are sent in the header field `Authorization`.
  @Secret package private(set) var url: URL
  @Secret private(set) var headers: [String: String]
  /// The texts that reports must hide.
  @Secret private(set) var secrets: [String]
  /// The compression of bodies.
  var compression = BodyCompression.identity

  /// - Parameters:
  ///   - path: The path for an address that has none.
  ///   - agent: The `User-Agent`, unless `headers` contains one; not a secret.
  ///   - setting: The setting that has the address, if errors should name it.
  /// - Throws: ``CollectorError`` if the address or a header field cannot be sent.
  package init(
    url text: String, headers: [String: String], query: [String: String], path: String = "/",
    agent: String? = nil, setting: String? = nil
  ) throws(CollectorError) {
    var (parts, user, password) = try Self.parse(text, setting)
    let credentials = user.map { user in
      "Basic \(Data("\(user):\(password ?? "")".utf8).base64EncodedString())"
    }
    if ["", "/"].contains(parts.path) { parts.path = path }
    let known = parts.percentEncodedQuery.map { [$0] } ?? []
    let added = query.sorted { $0.key < $1.key }
      .map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }
    parts.percentEncodedQuery =
      (known + added).isEmpty ? nil : (known + added).joined(separator: "&")
    guard let url = parts.url else {
      throw Self.error(of: text, setting, "it is not a URL")
    }
    var fields = ["content-type": ("Content-Type", "application/x-ndjson")]
    if let credentials { fields["authorization"] = ("Authorization", credentials) }
    if let agent { fields["user-agent"] = ("User-Agent", agent) }
    var names: Set<String> = []
    for (name, value) in headers {
      try Self.check(name, value)
      guard names.insert(name.lowercased()).inserted else {
        throw .invalidHeader(
          name: name, reason: "it occurs twice, with different capitals; pass it once")
      }
      fields[name.lowercased()] = (name, value)
    }
    self.url = url
    self.headers = Dictionary(uniqueKeysWithValues: fields.values)
    let own = headers.filter { $0.key.lowercased() != "content-type" }.map(\.value)
    let authorization = [credentials].compactMap(\.self)
    // A query item may be a secret key without a name, as in `?KEY`, which is parsed as a name
    // without a value.
    let items = (parts.queryItems ?? []).map { $0.value ?? $0.name } + Array(query.values)
    // In the value of a header field, each word but the first is also a secret by itself, because
    // a server's answer might contain the token of “Bearer TOKEN” without “Bearer”.
    let words = (own + authorization).flatMap {
      $0.split(separator: " ").dropFirst().map(String.init)
    }
    let login = [user, password].compactMap(\.self)
    let all =
      own + authorization + words + items + items.map(Self.encoded) + login + url.secretsOfPath
    secrets = Array(Set(all))
  }

  /// A request that posts the lines, with a newline after each.
  func request(posting lines: [[UInt8]]) -> OutgoingRequest {
    var body: [UInt8] = []
    body.reserveCapacity(lines.reduce(0) { $0 + $1.count + 1 })
    for line in lines {
      body += line
      body.append(UInt8(ascii: "\n"))
    }
    return request(posting: body)
  }

  /// A request that posts the body.
  func request(posting body: [UInt8]) -> OutgoingRequest {
    var request = OutgoingRequest("POST", url, body: body)
    request.headers = headers
    request.compression = compression
    return request
  }

  /// Parses an address. Returns it without its user and password, and returns these separately.
  private static func parse(
    _ text: String, _ setting: String?
  ) throws(CollectorError) -> (URLComponents, user: String?, password: String?) {
    func wrong(_ reason: String) -> CollectorError { error(of: text, setting, reason) }
    guard text.unicodeScalars.allSatisfy({ $0.value > 32 && $0.value != 127 }) else {
      throw wrong("it contains a space or a control character")
    }
    guard var parts = URLComponents(string: text) else { throw wrong("it is not a URL") }
    guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
      throw wrong("it does not begin with https:// or http://")
    }
    // The scheme is stored in lower case, because `TransportError.noHTTP(scheme:)` compares it with
    // `http`.
    parts.scheme = scheme
    guard parts.host?.isEmpty == false else { throw wrong("it has no valid host") }
    guard parts.fragment == nil else {
      throw wrong("it has a fragment (#…), which is never sent")
    }
    if let port = parts.port, !(1...65_535).contains(port) {
      throw wrong("its port is not from 1 to 65535")
    }
    let (user, password) = (parts.user, parts.password)
    parts.user = nil
    parts.password = nil
    return (parts, user, password)
  }

  /// The error of a malformed address, which is that of a setting if `setting` names one.
  private static func error(
    of text: String, _ setting: String?, _ reason: String
  ) -> CollectorError {
    guard let setting else { return .invalidURL(shown(text), reason: reason) }
    return .invalidSetting(name: setting, reason: "cannot send to “\(shown(text))”: \(reason)")
  }

  /// Checks that a header field with this name and this value can be sent.
  ///
  /// - Throws: ``CollectorError`` if the field cannot be sent.
  static func check(_ name: String, _ value: String) throws(CollectorError) {
    guard let fault = HeaderFieldRules.fault(name, value) else { return }
    throw .invalidHeader(name: HeaderFieldRules.shown(name), reason: fault)
  }

  /// Percent-encodes all characters except letters, digits and `-._~`. A `+` is encoded as well,
  /// because many servers read it as a space.
  private static func encoded(_ text: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }

  /// An unchecked address without its secrets.
  static func withoutSecrets(_ text: String) -> String {
    // If `URL` finds no host, or an `@` in the path, it may have read a user and a password as a
    // part of the path. `shown` then hides the text before the last `@`.
    guard let url = URL(string: text), url.host()?.isEmpty == false, !url.path().contains("@")
    else {
      return shown(text)
    }
    return url.withoutSecrets
  }

  /// The parts of a malformed address that reports may show: no query, user or control characters,
  /// and no part of the path that may be a secret.
  private static func shown(_ text: String) -> String {
    let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value > 31 }))
    let scheme = plain.range(of: "://").map { plain[..<$0.upperBound] } ?? ""
    let start = plain.prefix { $0 != "?" && $0 != "#" }
    // An `@` after `?` or `#` may belong to a password or to the query, so the host is unknown.
    if plain.dropFirst(start.count).contains("@") { return "\(scheme.prefix(100))…" }
    let at = start.lastIndex(of: "@")
    let rest = at.map { start[$0...] } ?? start.dropFirst(scheme.count)
    let host = rest.prefix { $0 != "/" }
    let path = URL.withoutSecrets(path: String(rest.dropFirst(host.count)))
    return "\(scheme.prefix(100))\(at == nil ? "" : "…")\(host.prefix(100))\(path.prefix(100))"
  }
}
