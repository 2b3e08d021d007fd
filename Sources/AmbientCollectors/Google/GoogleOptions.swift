// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The endpoint, the rules, the consent, the session and the mapping of a ``GoogleAnalytics``.
public struct GoogleOptions: Sendable {
  /// The path of Google's endpoint, for an address that has no path.
  package static let path = "/mp/collect"

  /// The treatment of events that are older than 72 hours when they are sent.
  @nonexhaustive
  public enum LateEvents: Hashable, Sendable {
    /// The event is sent with a time of 72 hours ago, to which Google would otherwise move it.
    ///
    /// The change is counted in `amendments`.
    case moved
    /// The event is not sent, and counts as lost.
    ///
    /// An event from before 2020 is moved instead, because the clock was not set when it was
    /// tracked, so that it may be recent.
    case dropped
  }

  /// The `session_id` of events that have no valid one as a property or trait.
  @nonexhaustive
  public enum Session: Hashable, Sendable {
    /// A session derived from the times of a client's events.
    ///
    /// The session ends after a pause without events; its id is the time of the event that began
    /// it, in seconds since 1970. If the pause is negative, each event begins a session.
    ///
    /// Sessions are kept in memory, so a restart ends them. With more than 10,000 clients at once,
    /// the sessions that have been without events for the longest time are ended, too.
    case automatic(pause: Duration = .seconds(1_800))
    /// The same session for all events; its id has 1 to 20 digits.
    ///
    /// With any other id, the initializer of the collector throws ``CollectorError``.
    case fixed(String)
    /// Events get no `session_id`.
    ///
    /// Google does not show them in Realtime.
    case none
  }

  /// The address that requests go to: Google's address or another one, such as the address of a
  /// proxy or of a test server.
  public var endpoint = CollectorEndpoint<GoogleOptions>.global
  /// Whether an event that breaks a rule of Google's is changed or refused; changed by default.
  ///
  /// The rules concern, for example, names, lengths, and numbers of parameters. An event or item
  /// that lacks a parameter, such as `currency`, is sent unchanged under both policies.
  public var policy = RulePolicy.lenient
  /// The treatment of events that are older than 72 hours when they are sent; moved by default.
  public var lateEvents = LateEvents.moved
  /// Whether a request whose outcome is unknown is sent again; it is, by default.
  ///
  /// On web streams, Google counts a `purchase` with a `transaction_id` only once, even if it
  /// arrives twice. Regardless of this option, a request with such purchases is sent again.
  public var unknownOutcome = UnknownOutcome.retried
  /// The consent whose answers for `.advertising` and `.personalization` become `ad_user_data` and
  /// `ad_personalization`; nil to send no answers.
  ///
  /// The answers are read when an event is prepared for sending. A pending answer is not sent.
  public var consent: Consent?
  /// The `session_id` of events that have no valid one; that of an automatic session by default.
  public var session = Session.automatic()
  /// The `engagement_time_msec` of events that have none; 100 ms by default.
  ///
  /// If nil, the parameter is left out, and Google's report “Realtime” does not show the events. If
  /// the value is negative, the collector's initializer throws ``CollectorError``.
  public var engagement: Duration? = .milliseconds(100)
  /// The mapping that changes events' names and properties for Google; ``EventMapping/googleShop``
  /// is for shops that track the amount paid.
  public var mapping = EventMapping.none

  /// Creates options with Google's own address and without a mapping.
  public init() {}
}

extension GoogleOptions {
  func check() throws(CollectorError) {
    if case .fixed(let id) = session, !GoogleIdentity.isSession(id) {
      throw .invalidSetting(name: "session", reason: "a session id contains only digits")
    }
    if let engagement, engagement < .zero {
      throw .invalidSetting(name: "engagement", reason: "it is negative; use zero or more")
    }
  }
}

extension EventMapping {
  /// The mapping for a shop whose `value` is the amount paid, as in Checkout.
  ///
  /// Google's `value` excludes tax and shipping, so the mapping subtracts an event's `tax` and
  /// `shipping` from its `value`. It does so for an event of any name. If `tax` and `shipping`
  /// together exceed the value, or have another sign, the event stays unchanged. Nothing else
  /// changes, since such a shop's events already have Google's names.
  ///
  /// Source: developers.google.com/analytics/devguides/collection/ga4/reference/events.
  public static let googleShop = EventMapping.withoutTaxAndShipping
}

extension CollectorEndpoint where Options == GoogleOptions {
  /// Google's address, `www.google-analytics.com`.
  public static var global: Self { .url("https://www.google-analytics.com") }

  /// Google's address in the European Union, `region1.google-analytics.com`.
  public static var europe: Self { .url("https://region1.google-analytics.com") }
}

/// The kind of a data stream of Google Analytics.
@nonexhaustive
public enum GoogleStream: Hashable, Sendable {
  /// A web stream, with a measurement id and client ids.
  case web
  /// A stream of an app, with a Firebase app id and app instance ids.
  case app
}
