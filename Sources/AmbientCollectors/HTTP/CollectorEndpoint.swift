// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A collector's address, and the rule by which the service's path is added to it.
///
/// Descriptions hide the parts that may be secret. `Options` is the collector's type of options.
public struct CollectorEndpoint<Options>: Hashable, Sendable {
  /// The rule by which the service's path is added.
  private enum Path: Hashable { case unlessThere, added, none }

  @Secret private var text: String
  private let path: Path

  private init(_ text: String, _ path: Path) {
    self.text = text
    self.path = path
  }

  /// Creates an endpoint from an address, which may lack the service's path.
  ///
  /// The path is added if the address has no path, or only the path `/`. If the address is
  /// malformed, the collector's initializer throws ``CollectorError``.
  ///
  /// - Parameter address: The address of the server, with or without the service's path.
  public static func url(_ address: String) -> Self { Self(address, .unlessThere) }

  /// Creates an endpoint from a base address, to which the service's path is added.
  ///
  /// If the address is malformed, or already ends with this path, the collector's initializer
  /// throws ``CollectorError``.
  ///
  /// - Parameter address: The address before the service's path.
  public static func base(_ address: String) -> Self { Self(address, .added) }

  /// Creates an endpoint from an address with its path, to which no path is added.
  ///
  /// The query items of the service, such as Google's `api_secret`, are added to any address. If
  /// the address is malformed, the collector's initializer throws ``CollectorError``.
  ///
  /// - Parameter address: The address that requests go to.
  public static func exact(_ address: String) -> Self { Self(address, .none) }

  /// Returns whether the endpoint has a base address that already ends with the path `added`.
  package func isTwice(_ added: String) -> Bool {
    guard path == .added, let parts = URLComponents(string: text) else { return false }
    return Self.trimmed(parts.percentEncodedPath).hasSuffix(added)
  }

  /// Returns the address. If it is a base address, the path `added` is appended. For an address of
  /// ``url(_:)``, the method `resolved` adds a missing path.
  package func address(_ added: String) -> String {
    // A text that is not an address, or that contains a space or a control character below U+0020,
    // is returned unchanged, and `PostTarget` throws an error.
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

  /// Returns the endpoint to which requests are sent.
  ///
  /// - Parameter setting: The setting that has the address, if errors should name it.
  func resolved(
    _ added: String, headers: [String: String], query: [String: String] = [:],
    agent: String? = nil, setting: String? = nil
  ) throws(CollectorError) -> PostTarget {
    try PostTarget(
      url: address(added), headers: headers, query: query,
      path: path == .unlessThere ? added : "/", agent: agent, setting: setting)
  }

  /// Returns the endpoint to which requests are sent. Throws an error if a base address already
  /// ends with the path `added`.
  func checked(
    _ added: String, headers: [String: String], query: [String: String] = [:], agent: String? = nil
  ) throws(CollectorError) -> PostTarget {
    let sent = try resolved(added, headers: headers, query: query, agent: agent)
    guard isTwice(added) else { return sent }
    throw .invalidSetting(
      name: "endpoint",
      reason: """
        requests would go to “\(sent.url.withoutSecrets)”, because \(added) is added to a base; \
        remove it there, or pass the whole address as .exact
        """)
  }
}

extension CollectorEndpoint: CustomStringConvertible {
  /// The address without its secrets.
  public var description: String { PostTarget.withoutSecrets(text) }
}
