internal import Ambient
internal import AmbientHTTP
internal import Foundation

/// What a server proves who it is by to Adobe: the three of a project with OAuth server-to-server.
///
/// Shown nowhere: not in descriptions, mirrors, reports or files. A token holds for a day, so a
/// program that runs longer gives what says the present one.
public struct AdobeCredentials: Sendable {
  /// What says the token. It is asked on the task that sends.
  let token: @Sendable () -> String
  @Secret private(set) var apiKey: String
  @Secret private(set) var organization: String
  /// The token, if it is always the same.
  @Secret private var fixedToken: String?

  /// Credentials with one token, for a program that does not outlive it.
  ///
  /// - Parameters:
  ///   - token: The access token, which is sent as `Authorization: Bearer`.
  ///   - apiKey: The client id of the project, `x-api-key`.
  ///   - organization: The organization, as `0123…@AdobeOrg`, `x-gw-ims-org-id`.
  public init(token: String, apiKey: String, organization: String) {
    self.token = { token }
    fixedToken = token
    self.apiKey = apiKey
    self.organization = organization
  }

  /// Credentials with a token that is renewed.
  ///
  /// - Parameters:
  ///   - apiKey: The key of the project at Adobe, its client's identifier.
  ///   - organization: The identifier of the organization, as `…@AdobeOrg`.
  ///   - token: Says the present token, without waiting; it is called for each request. A text that
  ///     cannot stand in a header is not sent, and reported once.
  public init(apiKey: String, organization: String, token: @escaping @Sendable () -> String) {
    self.token = token
    fixedToken = nil
    self.apiKey = apiKey
    self.organization = organization
  }

  func check() throws(CollectorError) {
    if let fixedToken { try Self.check(token: fixedToken) }
    try Self.check(apiKey, "apiKey")
    try Self.check(organization, "organization")
  }

  package static func check(token: String) throws(CollectorError) {
    guard !token.lowercased().hasPrefix("bearer ") else {
      throw .invalidSetting(
        name: "token",
        reason: "it begins with the word Bearer, which is sent before it anyway; leave that out")
    }
    try check(token, "token")
  }

  package static func check(_ secret: String, _ name: String) throws(CollectorError) {
    try CollectorError.check(
      secret: secret, name,
      advice: "see the project in Adobe Developer Console, OAuth Server-to-Server")
  }

  /// What no report may show.
  var secrets: [String] { [fixedToken ?? "", apiKey, organization].filter { !$0.isEmpty } }
}

/// The tokens that were sent last: secrets, however often they are renewed.
final class AdobeTokens: Sendable {
  private let sent = Guarded<[String]>([])
  private let isReported = Guarded(false)
  /// What reports call the collector.
  private let name: String

  init(of name: String) { self.name = name }

  /// As many as may be in use at once where one is renewed.
  private static var most: Int { 4 }

  /// The token for a request, if it can stand in a header; the first that cannot is reported.
  func token(of credentials: AdobeCredentials) -> String? {
    let token = credentials.token()
    do throws(CollectorError) {
      try AdobeCredentials.check(token: token)
    } catch {
      let isFirst = isReported.withLock { isReported in
        defer { isReported = true }
        return !isReported
      }
      if isFirst {
        Diagnostics.report(
          Diagnostic(.invalidSetting, source: name, "\(error); requests go without it"))
      }
      return nil
    }
    sent.withLock { sent in
      if sent.last != token { sent = (sent + [token]).suffix(Self.most) }
    }
    return token
  }

  /// They may come back in any answer that is still to come.
  var latest: [String] { sent.withLock { $0 } }
}
