internal import Ambient

/// How an ``AdobeAnalytics`` sends.
public struct AdobeOptions: Sendable {
  /// Where to: Adobe, or another address, as of a company's own host or of a test.
  public typealias Endpoint = CollectorEndpoint<AdobeOptions>

  /// Adobe's path, for an address that has none.
  package static let path = "/ee/v2/collect"

  /// As what the identity of a user is sent, beside that of the device.
  public struct UserNamespace: Hashable, Sendable {
    /// The code of a namespace of the organization, as `CRMID`.
    public var code: String
    /// Whether events are the user's first of all, and not the device's.
    public var isPrimary: Bool

    /// A namespace.
    ///
    /// - Parameters:
    ///   - code: The code of a namespace of the organization, as `CRMID`.
    ///   - isPrimary: Whether events are the user's first of all, and not the device's.
    public init(_ code: String, isPrimary: Bool = false) {
      self.code = code
      self.isPrimary = isPrimary
    }
  }

  /// Where to.
  public var endpoint: Endpoint
  /// What is done with what Adobe would not take.
  public var policy: RulePolicy
  /// What becomes of a request when nobody knows whether Adobe had it. Adobe counts a purchase with
  /// a ``AdobeVariable/purchaseID`` once.
  public var unknownOutcome: UnknownOutcome
  /// As what the identity of a user is sent; nil for as context data.
  public var userNamespace: UserNamespace?
  /// Which variables properties go into, and what events count; ``AdobeMapping/shop`` is for shops
  /// with the events of Checkout.
  public var mapping: AdobeMapping

  /// Options.
  ///
  /// - Parameters:
  ///   - endpoint: Where to.
  ///   - policy: What is done with what Adobe would not take.
  ///   - unknownOutcome: What becomes of a request whose outcome is not known.
  ///   - userNamespace: As what the identity of a user is sent; nil for as context data.
  ///   - mapping: Which variables properties go into, and what events count.
  public init(
    endpoint: Endpoint = .edge, policy: RulePolicy = .lenient,
    unknownOutcome: UnknownOutcome = .retried, userNamespace: UserNamespace? = nil,
    mapping: AdobeMapping = .none
  ) {
    self.endpoint = endpoint
    self.policy = policy
    self.unknownOutcome = unknownOutcome
    self.userNamespace = userNamespace
    self.mapping = mapping
  }
}

extension AdobeOptions {
  func check() throws(CollectorError) {
    guard let code = userNamespace?.code else { return }
    guard code.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]{0,63}/) != nil else {
      throw .invalidSetting(
        name: "userNamespace",
        reason: """
          “\(EventProblem.shown(code))” is not a namespace's code; one is as CRMID, in Identities, \
          Namespaces
          """)
    }
    guard !AdobeIdentity.deviceNamespaces.contains(code.uppercased()) else {
      throw .invalidSetting(
        name: "userNamespace", reason: "\(code.uppercased()) is of devices; choose one of people")
    }
  }
}

extension CollectorEndpoint where Options == AdobeOptions {
  /// `edge.adobedc.net`, or with credentials `server.adobedc.net`.
  public static var edge: Self { .url("https://edge.adobedc.net") }

  static var server: Self { .url("https://server.adobedc.net") }
}
