internal import Ambient

/// Analytics that post lines of JSON to an address, in the format that ClickHouse (`JSONEachRow`)
/// and most event stores accept.
///
/// ```swift
/// Analytics.instance = try HTTPAnalytics(
///   url: "https://clickhouse.example:8443/",
///   headers: ["X-ClickHouse-User": "shop", "X-ClickHouse-Key": key],
///   query: ["query": "INSERT INTO events FORMAT JSONEachRow"],
///   properties: .flattened("_"), queue: EventQueue(folder: "/var/lib/shop/events"))
/// ```
///
/// A line is the event's `TrackedEvent.json`. An error message of ClickHouse is judged by its code,
/// any other answer by its status (``DeliveryVerdict/usual(for:now:)``). If a server answers 200
/// although it refused events, as its body says, pass a closure as `judging`: otherwise these
/// events count as delivered. Reports and descriptions hide the values of header fields and of the
/// query.
public final class HTTPAnalytics: QueuedAnalytics, @unchecked Sendable {
  /// Creates analytics that post to an address.
  ///
  /// - Parameters:
  ///   - url: The address, with http or https. A user and a password in it are sent as
  ///     `Authorization: Basic`.
  ///   - headers: Further header fields.
  ///   - query: Items that are added to the query of the address, by name.
  ///   - properties: The layout of properties in a line.
  ///   - sentAt: The name of a member that each line gets, such as `sent_at`, with the time of the
  ///     request in ISO 8601; nil for none. By this time and the time of arrival, a server can
  ///     correct the event's `time` if this machine's clock is wrong. A repeated request has the
  ///     time of its repetition.
  ///   - compression: The compression of bodies; `limits` apply to the uncompressed body.
  ///   - queue: The queue of waiting events.
  ///   - limits: The maximum size of a request.
  ///   - upload: When events are uploaded, and how often a failed request is repeated.
  ///   - judging: Returns the verdict on an answer, or nil for the usual verdict. A detail in the
  ///     verdict should be from ``HTTPAnswer/shown(_:atMost:)``, because reports show it.
  ///   - transport: The transport that sends the requests; nil for the network.
  /// - Throws: ``CollectorError`` if the address or a header field cannot be sent, if a line may
  ///   already have a member named `sentAt`, or if another collector uses the queue.
  public init(
    url: String, headers: [String: String] = [:], query: [String: String] = [:],
    properties: PropertyLayout = .nested, sentAt: String? = nil,
    compression: BodyCompression = .none, queue: EventQueue,
    limits: RequestLimits = RequestLimits(events: 10_000, bytes: 4_000_000),
    upload: UploadOptions = UploadOptions(),
    judging: (@Sendable (HTTPAnswer) -> DeliveryVerdict?)? = nil,
    transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) {
    var endpoint = try PostTarget(url: url, headers: headers, query: query)
    endpoint.compression = compression
    try super.init(
      LinesDestination(endpoint, properties, sentAt: sentAt, limits, judge: judging), queue: queue,
      upload: upload, transport: transport)
  }

  init(
    _ destination: ClickHouseDestination, queue: EventQueue, upload: UploadOptions,
    transport: (any HTTPTransport)?
  ) throws(CollectorError) {
    try super.init(destination, queue: queue, upload: upload, transport: transport)
  }
}
