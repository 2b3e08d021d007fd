public import Ambient
internal import Foundation

/// What kind of stream of a property in Google Analytics gets the events.
public enum GoogleStream: Hashable, Sendable {
  /// A web stream: measurement id and client id.
  case web
  /// A stream of an app: Firebase app id and app instance id.
  case app
}

/// How a ``GoogleAnalytics`` sends.
public struct GoogleOptions: Sendable {
  /// Where to: Google, or another address, as of a proxy or of a test.
  public typealias Endpoint = CollectorEndpoint<GoogleOptions>

  /// Google's path, for an address that has none.
  package static let path = "/mp/collect"

  /// What becomes of an event that is older than 72 hours when it is sent.
  public enum LateEvents: Hashable, Sendable {
    /// It is sent as if it had happened 72 hours ago, and counted in
    /// `amendments`. So does Google, too.
    case moved
    /// It is not sent, and counted as lost.
    case dropped
  }

  /// Where `session_id` comes from for events that have none, neither as a property nor as a trait.
  public enum Session: Hashable, Sendable {
    /// From the events: a session of a client ends after so long a pause; its id is the time of its
    /// first event, in seconds.
    ///
    /// Sessions are in memory: those of before a restart end with it, and of more than 10,000
    /// clients at once those that were quiet the longest.
    case automatic(pause: Duration = .seconds(1_800))
    /// It is always that one, of digits.
    case fixed(String)
    /// There is none: such events are not seen in Realtime.
    case none
  }

  /// Where to.
  public var endpoint: Endpoint
  /// What is done with what Google would not take: names, lengths, numbers of parameters.
  public var policy: RulePolicy
  /// What becomes of an event that is older than 72 hours.
  public var lateEvents: LateEvents
  /// What becomes of a request when nobody knows whether Google had it. Google counts a `purchase`
  /// with a `transaction_id` once, on web streams.
  public var unknownOutcome: UnknownOutcome
  /// What `ad_user_data` and `ad_personalization` are: what was answered for `.advertising` and
  /// `.personalization`, as it stands when an event is prepared. Nil, and pending, say nothing.
  public var consent: Consent?
  /// Where `session_id` comes from.
  public var session: Session
  /// What `engagement_time_msec` is for events that have none; nil for leaving it out, so that
  /// Realtime does not see them.
  public var engagement: Duration?
  /// What events are called, and carry, at Google; ``EventMapping/googleShop`` is for shops that
  /// track what was paid.
  public var mapping: EventMapping

  /// Options.
  ///
  /// - Parameters:
  ///   - endpoint: Where to.
  ///   - policy: What is done with what Google would not take.
  ///   - lateEvents: What becomes of an event that is older than 72 hours.
  ///   - unknownOutcome: What becomes of a request whose outcome is not known.
  ///   - consent: The consent that is told to Google; nil says nothing.
  ///   - session: Where `session_id` comes from, for events that have none.
  ///   - engagement: The `engagement_time_msec` of events that have none; nil for leaving it out.
  ///   - mapping: What events are called, and carry, at Google.
  public init(
    endpoint: Endpoint = .global, policy: RulePolicy = .lenient, lateEvents: LateEvents = .moved,
    unknownOutcome: UnknownOutcome = .retried, consent: Consent? = nil,
    session: Session = .automatic(), engagement: Duration? = .milliseconds(100),
    mapping: EventMapping = .none
  ) {
    self.endpoint = endpoint
    self.policy = policy
    self.lateEvents = lateEvents
    self.unknownOutcome = unknownOutcome
    self.consent = consent
    self.session = session
    self.engagement = engagement
    self.mapping = mapping
  }
}

extension GoogleOptions {
  func check() throws(CollectorError) {
    if case .fixed(let id) = session, !GoogleIdentity.isSession(id) {
      throw .invalidSetting(name: "session", reason: "a session's id has digits only")
    }
    if let engagement, engagement < .zero {
      throw .invalidSetting(name: "engagement", reason: "no time is shorter than none")
    }
  }
}

extension EventMapping {
  /// For a shop that tracks what is paid, as Checkout does: Google's `value` of every event of a
  /// shop is without tax and shipping, so `tax` and `shipping` are taken off it where an event has
  /// them.
  ///
  /// Events that have Google's names keep them, and nothing else is changed.
  ///
  /// Source: developers.google.com/analytics/devguides/collection/ga4/reference/events.
  public static let googleShop = EventMapping.withoutTaxAndShipping
}

extension CollectorEndpoint where Options == GoogleOptions {
  /// `www.google-analytics.com`.
  public static var global: Self { .url("https://www.google-analytics.com") }

  /// `region1.google-analytics.com`, in the European Union.
  public static var europe: Self { .url("https://region1.google-analytics.com") }
}
