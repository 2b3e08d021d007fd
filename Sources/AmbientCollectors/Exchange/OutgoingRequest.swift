// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import Foundation

/// A request to a server.
///
/// ``CollectorClient`` throws ``TransportError`` for a request that it cannot send: if the method
/// is not a single word, if the address is not a valid one of http or https or has a user, if a
/// header field is malformed or one that the connection sets, or if a `HEAD` request has a body.
public struct OutgoingRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The address, with the query.
  public var url: URL
  /// The method in capitals, such as `POST`.
  public var method: String
  /// The header fields, except the fields that the connection sets.
  ///
  /// The connection sets `Connection`, `Content-Length`, `Expect`, `Host`, `Keep-Alive`, `TE`,
  /// `Trailer`, `Transfer-Encoding` and `Upgrade`.
  public var headers: [String: String] = [:]
  /// The body; empty for none.
  public var body: [UInt8]
  /// Whether the server may receive the request twice.
  ///
  /// A reused connection may end without an answer just when a request is sent; the system then
  /// repeats the request by itself. With libcurl, a request that must not be repeated therefore
  /// gets a new connection. Apple's URLSession has no such option, and may repeat the request. A
  /// request that the server rejects because of ``BodyCompression/gzip`` is always sent again.
  public var isRepeatable = true
  /// The compression that ``CollectorClient`` applies; any other transport gets the body
  /// uncompressed.
  public var compression = BodyCompression.identity

  /// Creates a request without header fields, which may be repeated and is not compressed.
  ///
  /// - Parameters:
  ///   - method: The method, in capitals.
  ///   - url: The http or https address, with the query.
  ///   - body: The bytes of the body; empty for none.
  public init(_ method: String, _ url: URL, body: [UInt8]) {
    self.url = url
    self.method = method
    self.body = body
  }

  /// The method, the address, and the body's length.
  ///
  /// The headers, the query and parts of the path are left out, because they may contain secrets.
  public var description: String { "\(method) \(url.withoutSecrets), \(body.count.with("byte"))" }

  /// A mirror that shows no more than the description.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["method": method, "url": url.withoutSecrets, "body": "\(body.count.with("byte"))"])
  }
}
