internal import Ambient

/// Analytics that send to Adobe Analytics, by the collect endpoint of Adobe's Edge Network.
///
/// ```swift
/// Analytics.instance = try AdobeAnalytics(
///   datastreamID: "0123abcd-0123-4567-89ab-0123456789ab",
///   queue: EventQueue(folder: "events/adobe"), options: AdobeOptions(mapping: .shop))
/// ```
///
/// An event becomes a page view if it has a page and nothing of a link, else a link of its name.
/// Properties go into the variables that the mapping says (``AdobeOptions/mapping``), or else into
/// context data. A device other than the queue's client is named by the property or trait `fpid`,
/// `ecid` or `client_id`. What Adobe would not take is changed or refused
/// (``AdobeOptions/policy``), counted and reported; ``EventValidator/adobe(_:)`` says it before.
public final class AdobeAnalytics: QueuedAnalytics, @unchecked Sendable {
  /// Analytics that send to a datastream.
  ///
  /// - Parameters:
  ///   - datastreamID: The datastream, a UUID, which has the service Adobe Analytics; `:dev`,
  ///     `:stage` or `:prod` may follow.
  ///   - credentials: Who a server is; nil for clients, and for datastreams that take all.
  ///   - queue: Where events wait; its client id is that of events which name none.
  ///   - options: What is sent, and how.
  ///   - upload: When events are sent, and how often what failed is tried again.
  ///   - transport: What carries requests; nil for the network.
  /// - Throws: ``CollectorError`` if the id, a secret, an option or the address is malformed, or
  ///   another collector has the queue.
  public init(
    datastreamID: String, credentials: AdobeCredentials? = nil, queue: EventQueue,
    options: AdobeOptions = AdobeOptions(), upload: UploadOptions = UploadOptions(),
    transport: (any Transport)? = nil
  ) throws(CollectorError) {
    try super.init(
      AdobeDestination(datastreamID, credentials, client: queue.clientID, options), queue: queue,
      upload: upload, transport: transport)
  }
}

extension EventValidator {
  /// Says what ``AdobeAnalytics`` with these options would change or refuse.
  ///
  /// - Parameter options: The options, as the collector has them.
  /// - Returns: A validator, which sends nothing.
  public static func adobe(_ options: AdobeOptions = AdobeOptions()) -> EventValidator {
    EventValidator(policy: options.policy) { AdobeFormat(client: "1.1", options: options) }
  }
}
