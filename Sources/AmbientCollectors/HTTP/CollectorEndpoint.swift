internal import AmbientHTTP
internal import Foundation

/// Where a collector sends to: an address, and how the path of its service gets into that.
///
/// Shown without what may be secret. `Options` are those of the collector.
public struct CollectorEndpoint<Options>: Hashable, Sendable {
  /// How a path gets into the address.
  private enum Path: Hashable { case unlessThere, added, none }

  @Secret private var text: String
  private let path: Path

  private init(_ text: String, _ path: Path) {
    self.text = text
    self.path = path
  }

  /// An address that gets the path of the service if it has none, or only `/`.
  ///
  /// - Parameter address: The address of the server, without or with the path.
  public static func url(_ address: String) -> Self { Self(address, .unlessThere) }

  /// An address to which the path of the service is added; one that ends so already is an error.
  ///
  /// - Parameter address: The address in front of the service's path.
  public static func base(_ address: String) -> Self { Self(address, .added) }

  /// The whole address, as it is.
  ///
  /// - Parameter address: The address that requests go to.
  public static func exact(_ address: String) -> Self { Self(address, .none) }

  /// Whether it is a base that ends with the path already.
  package func isTwice(_ added: String) -> Bool {
    guard path == .added, let parts = URLComponents(string: text) else { return false }
    return Self.trimmed(parts.percentEncodedPath).hasSuffix(added)
  }

  /// The whole address; an address without a path gets it later.
  package func address(_ added: String) -> String {
    // What is no address is refused as it is, and so is one with a space.
    guard path == .added, !text.unicodeScalars.contains(where: { $0.value <= 32 }),
      var parts = URLComponents(string: text)
    else { return text }
    parts.percentEncodedPath = Self.trimmed(parts.percentEncodedPath) + added
    return parts.string ?? text
  }

  private static func trimmed(_ path: String) -> Substring {
    var path = path[...]
    while path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Where requests go.
  func resolved(
    _ added: String, headers: [String: String], query: [String: String] = [:], agent: String? = nil
  ) throws(CollectorError) -> HTTPEndpoint {
    try HTTPEndpoint(
      url: address(added), headers: headers, query: query,
      path: path == .unlessThere ? added : "/", agent: agent)
  }

  /// Where requests go, if the path is not twice in it.
  func checked(
    _ added: String, headers: [String: String], query: [String: String] = [:], agent: String? = nil
  ) throws(CollectorError) -> HTTPEndpoint {
    let sent = try resolved(added, headers: headers, query: query, agent: agent)
    guard isTwice(added) else { return sent }
    throw .invalidSetting(
      name: "endpoint",
      reason: """
        requests would go to “\(sent.url.withoutSecrets)”, since \(added) is added to a base; leave \
        it out there, or give the whole address as .exact
        """)
  }
}

extension CollectorEndpoint: CustomStringConvertible {
  /// The address without its secrets.
  public var description: String { HTTPEndpoint.withoutSecrets(text) }
}
