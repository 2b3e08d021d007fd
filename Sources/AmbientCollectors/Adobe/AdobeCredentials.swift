// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The credentials with which a server calls Adobe's API.
///
/// They come from a project with OAuth server-to-server. No description, `Mirror`, report or file
/// shows the credentials; only a report may show one of fewer than four characters. A token is
/// valid for a day, so a function of the program returns the current token for each request.
public struct AdobeCredentials: Sendable {
  /// The function that returns the current token. It is called on the task that uploads.
  let token: @Sendable () -> String
  @Secret private(set) var apiKey: String
  @Secret private(set) var organization: String

  /// Creates credentials.
  ///
  /// If the API key or the organization is empty, or has a character that is not visible ASCII, the
  /// initializer of ``AdobeAnalytics`` throws ``CollectorError``.
  ///
  /// - Parameters:
  ///   - apiKey: The client id of the project, sent as `x-api-key`.
  ///   - organization: The organization's identifier, such as `0123…@AdobeOrg`, sent as
  ///     `x-gw-ims-org-id`.
  ///   - token: Returns the current access token without waiting; called for each request, which
  ///     has it as `Authorization: Bearer`. If the token is empty, begins with the word `Bearer`,
  ///     or has a character that is not visible ASCII, the request is sent without it, which is
  ///     reported once.
  public init(apiKey: String, organization: String, token: @escaping @Sendable () -> String) {
    self.token = token
    self.apiKey = apiKey
    self.organization = organization
  }

  func check() throws(CollectorError) {
    try Self.check(apiKey, "apiKey")
    try Self.check(organization, "organization")
  }

  package static func check(token: String) throws(CollectorError) {
    guard !token.lowercased().hasPrefix("bearer ") else {
      throw .invalidSetting(
        name: "token",
        reason: "it begins with the word Bearer, which is added automatically; remove that word")
    }
    try check(token, "token")
  }

  package static func check(_ secret: String, _ name: String) throws(CollectorError) {
    try SettingChecks.check(
      secret: secret, name,
      advice: "copy it from the project in Adobe Developer Console, OAuth Server-to-Server")
  }

  /// The texts that reports must hide.
  var secrets: [String] { [apiKey, organization].filter { !$0.isEmpty } }
}

/// The latest tokens that were sent. Reports hide a token even after a newer one has replaced it.
final class AdobeTokens: Sendable {
  private let sent = Guarded<[String]>([])
  private let isReported = Guarded(false)
  /// The collector's name in reports.
  private let name: String

  init(of name: String) { self.name = name }

  /// The maximum number of remembered tokens. Fewer are in use at once, even during a renewal.
  private static var most: Int { 4 }

  /// Returns the token for a request, or nil if a header field cannot contain the token. The first
  /// such token is reported.
  func token(of credentials: AdobeCredentials) -> String? {
    let token = credentials.token()
    do throws(CollectorError) {
      try AdobeCredentials.check(token: token)
    } catch {
      if isReported.withLock({ $0.turnOn() }) {
        Diagnostics.report(
          .invalidSetting, source: name,
          "\(error). Until then, requests are sent without the token.")
      }
      return nil
    }
    sent.withLock { sent in
      if sent.last != token { sent = (sent + [token]).suffix(Self.most) }
    }
    return token
  }

  /// The latest tokens, which reports must hide: a server's later answers may quote any of them.
  var latest: [String] { sent.withLock { $0 } }
}
