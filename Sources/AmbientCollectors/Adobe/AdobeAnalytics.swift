// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// Analytics that upload to Adobe Analytics, by the collect endpoint of Adobe's Edge Network.
///
/// ```swift
/// var options = AdobeOptions()
/// options.mapping = .shop
/// Analytics.instance = try AdobeAnalytics(
///   datastreamID: "0123abcd-0123-4567-89ab-0123456789ab",
///   queue: EventQueue(folder: "events/adobe"), options: options)
/// ```
///
/// An event with a page and without a link counts as a page view; any other event counts as a link,
/// by default named after the event. ``AdobeOptions/mapping`` puts properties into variables; other
/// values become context data, except identities, objects, arrays and the list of products. The
/// property or trait `fpid`, `ecid` or, without these two, `client_id` names a device other than
/// the queue's client; an event with a malformed one is refused. Other values that Adobe would not
/// accept are changed, or their event is refused (``AdobeOptions/policy``); both are counted and
/// reported. ``EventValidator/adobe(_:)`` finds such values beforehand.
public final class AdobeAnalytics: QueuedAnalytics, @unchecked Sendable {
  /// Creates analytics that upload to a datastream.
  ///
  /// - Parameters:
  ///   - datastreamID: The datastream, a UUID, with the service Adobe Analytics enabled; `:dev`,
  ///     `:stage` or `:prod` may follow.
  ///   - credentials: The credentials of a server; nil for clients, and for datastreams that accept
  ///     requests without credentials.
  ///   - queue: The queue of waiting events. An event that names no device gets a device from its
  ///     anonymous identity or, without one, from the queue's client id.
  ///   - options: The endpoint, the rules and the mapping.
  ///   - upload: The times and sizes of uploads, the repetition of failed requests, and the limits
  ///     of a request.
  ///   - transport: The transport that sends the requests; nil for a new ``CollectorClient``.
  /// - Throws: ``CollectorError`` if the id, the API key, the organization, an option or the
  ///   address is malformed, if a collector uses this queue or has used it before, or if
  ///   `transport` is nil and the program cannot use HTTP.
  public init(
    datastreamID: String, credentials: AdobeCredentials? = nil, queue: EventQueue,
    options: AdobeOptions = AdobeOptions(), upload: UploadOptions = UploadOptions(),
    transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) {
    try super.init(
      AdobeDestination(datastreamID, credentials, client: queue.clientID, options), queue: queue,
      upload: upload, transport: transport)
  }
}

extension EventValidator {
  /// Returns a validator that finds what ``AdobeAnalytics`` with these options would change,
  /// refuse, or send although it breaks a rule.
  ///
  /// - Parameter options: The options of the collector.
  /// - Returns: A validator, which sends nothing.
  public static func adobe(_ options: AdobeOptions = AdobeOptions()) -> EventValidator {
    EventValidator(policy: options.policy) { AdobeFormat(client: "1.1", options: options) }
  }
}
