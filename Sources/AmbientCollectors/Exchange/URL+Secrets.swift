// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension URL {
  /// The URL's scheme, host, port and path. Parts of the path that may be secret are replaced by
  /// `…`.
  package var withoutSecrets: String {
    let port = port.map { ":\($0)" } ?? ""
    let host = host(percentEncoded: true) ?? ""
    // Foundation removes the brackets of an IPv6 address.
    let shown = host.contains(":") ? "[\(host)]" : host
    return
      "\(scheme ?? "")://\(shown)\(port)\(Self.withoutSecrets(path: path(percentEncoded: true)))"
  }

  /// The path with `…` in place of each part that is not a plain word, because servers such as
  /// Slack's and Loggly's have tokens in the path. A path such as `/v1/logs` stays unchanged.
  package static func withoutSecrets(path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { isPlain($0) ? $0 : "…" }.joined(separator: "/")
  }

  /// The parts of the path that `withoutSecrets(path:)` hides, each as it is and with
  /// percent-encoding removed.
  package var secretsOfPath: [String] {
    path(percentEncoded: true).split(separator: "/").filter { !Self.isPlain($0) }
      .flatMap { [String($0), $0.removingPercentEncoding ?? ""] }
  }

  /// Whether a part of a path is shown, because it does not look like a token.
  ///
  /// Such a part has at most 20 bytes. It is empty, consists of words in lower case, or is the
  /// number of a version, such as `v1`.
  private static func isPlain(_ part: Substring) -> Bool {
    guard part.utf8.count <= 20 else { return false }
    return part.wholeMatch(of: /([a-z]+([-_.][a-z]+)*|v?[0-9]{1,2})?/) != nil
  }

  /// Whether this URL and `other` have the same scheme, host and port.
  package func hasOrigin(of other: URL) -> Bool {
    func origin(_ url: URL) -> [String] {
      let scheme = url.scheme?.lowercased() ?? ""
      let port = url.port ?? (scheme == "https" ? 443 : 80)
      return [scheme, url.host()?.lowercased() ?? "", "\(port)"]
    }
    return origin(self) == origin(other)
  }
}
