// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The endpoint, rules and mapping of an ``AdobeAnalytics``.
public struct AdobeOptions: Sendable {
  /// The path of Adobe's service, which is added to an address without a path.
  package static let path = "/ee/v2/collect"

  /// The namespace of the user's identity, which is sent in addition to the device's.
  public struct UserNamespace: Hashable, Sendable {
    /// The code of a namespace of the organization, such as `CRMID`.
    package let code: String
    /// Whether the user is the event's primary identity, in place of the device.
    package let isPrimary: Bool

    /// Creates a namespace.
    ///
    /// - Parameters:
    ///   - code: The code of a namespace of the organization, such as `CRMID`: a letter, then at
    ///     most 63 letters, digits and underscores, all of ASCII. With any other code, and with
    ///     `ECID` or `FPID` in any case, the initializer of the collector throws
    ///     ``CollectorError``.
    ///   - isPrimary: Whether the user is the event's primary identity, in place of the device.
    public init(_ code: String, isPrimary: Bool = false) {
      self.code = code
      self.isPrimary = isPrimary
    }
  }

  /// The address that requests go to: Adobe's address, or another address, such as that of a
  /// company's own host or of a test server.
  public var endpoint = CollectorEndpoint<AdobeOptions>.edge
  /// Whether an event that breaks a rule of Adobe's is changed or refused; changed by default.
  ///
  /// Under both policies, an event is sent unchanged if it lacks a value, such as the products of a
  /// purchase, if it is older than 92 days, or if it has a page and a link.
  public var policy = RulePolicy.lenient
  /// Whether a request whose outcome is unknown is sent again; it is, by default.
  ///
  /// Regardless of this option, such a request is sent again if it contains purchases with an
  /// ``AdobeVariable/purchaseID``, because Adobe counts each of them only once. If Adobe answers
  /// with status 500, and not because of an event's content, the events are not sent again, and
  /// count as lost: Adobe demands that.
  public var unknownOutcome = UnknownOutcome.retried
  /// The namespace of the user's identity; nil, the default, to send no identity of the user.
  ///
  /// If it is nil, and ``mapping`` does not map `user.id`, the user's id becomes context data. As
  /// an identity, an id of more than 1,024 characters is left out, or its event is refused
  /// (``policy``).
  public var userNamespace: UserNamespace?
  /// The mapping of properties to variables, and of events to metrics.
  ///
  /// ``AdobeMapping/shop`` maps the events of Checkout.
  public var mapping = AdobeMapping.none

  /// Creates options with Adobe's own address and without a mapping.
  public init() {}
}

extension AdobeOptions {
  func check() throws(CollectorError) {
    guard let code = userNamespace?.code else { return }
    guard code.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]{0,63}/) != nil else {
      throw .invalidSetting(
        name: "userNamespace",
        reason: """
          “\(EventProblem.shown(code))” is not a namespace code; use one that Adobe lists under \
          Identities > Namespaces, such as CRMID
          """)
    }
    guard !AdobeIdentity.deviceNamespaces.contains(code.uppercased()) else {
      throw .invalidSetting(
        name: "userNamespace",
        reason: "\(code.uppercased()) identifies devices; choose a namespace that identifies people"
      )
    }
  }
}

extension CollectorEndpoint where Options == AdobeOptions {
  /// Adobe's address, `edge.adobedc.net`.
  ///
  /// If the collector has ``AdobeCredentials``, it sends events to `server.adobedc.net` instead.
  public static var edge: Self { .url("https://edge.adobedc.net") }

  static var server: Self { .url("https://server.adobedc.net") }
}
