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
/// any other answer by its status (``DeliveryVerdict/usual(for:now:)``). Reports and descriptions
/// hide the values of header fields and of the query.
public final class HTTPAnalytics: QueuedAnalytics, @unchecked Sendable {
  /// Creates analytics that post to an address.
  ///
  /// - Parameters:
  ///   - url: The address, with http or https. A user and a password in it are sent as
  ///     `Authorization: Basic`.
  ///   - headers: Further header fields.
  ///   - query: Items that are added to the query of the address, by name.
  ///   - properties: The layout of properties in a line.
  ///   - compression: The compression of bodies; `limits` apply to the uncompressed body.
  ///   - queue: The queue of waiting events.
  ///   - limits: The maximum size of a request.
  ///   - upload: When events are uploaded, and how often a failed request is repeated.
  ///   - transport: The transport that sends the requests; nil for the network.
  /// - Throws: ``CollectorError`` if the address or a header field cannot be sent, or if another
  ///   collector uses the queue.
  public init(
    url: String, headers: [String: String] = [:], query: [String: String] = [:],
    properties: PropertyLayout = .nested, compression: BodyCompression = .none,
    queue: EventQueue,
    limits: RequestLimits = RequestLimits(events: 10_000, bytes: 4_000_000),
    upload: UploadOptions = UploadOptions(), transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) {
    var endpoint = try PostTarget(url: url, headers: headers, query: query)
    endpoint.compression = compression
    try super.init(
      LinesDestination(endpoint, properties, limits), queue: queue, upload: upload,
      transport: transport)
  }

  init(
    _ destination: ClickHouseDestination, queue: EventQueue, upload: UploadOptions,
    transport: (any HTTPTransport)?
  ) throws(CollectorError) {
    try super.init(destination, queue: queue, upload: upload, transport: transport)
  }
}
