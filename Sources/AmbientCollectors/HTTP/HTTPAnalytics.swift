// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// Analytics that post lines of JSON to an address, in the format that ClickHouse (`JSONEachRow`)
/// and most event stores accept.
///
/// ```swift
/// var options = HTTPOptions()
/// options.headers = ["X-ClickHouse-User": "shop", "X-ClickHouse-Key": key]
/// options.query = ["query": "INSERT INTO events FORMAT JSONEachRow"]
/// options.properties = .flattened("_")
/// Analytics.instance = try HTTPAnalytics(
///   url: "https://clickhouse.example:8443/", queue: EventQueue(folder: "/var/lib/shop/events"),
///   options: options)
/// ```
///
/// A line is the event's `TrackedEvent.json`, unless ``HTTPOptions`` change its form. The code of
/// an error of ClickHouse decides what an answer means; in any other answer, the status decides
/// (``DeliveryVerdict/usual(for:now:)``). After a success of ClickHouse whose body broke off, the
/// events are sent again. If a server answers 200 although it refused events, as its body says,
/// pass a closure as `judging`: otherwise these events count as delivered. Reports and descriptions
/// hide the values of header fields and of the query, except those of fewer than four characters
/// and that of `Content-Type`.
public final class HTTPAnalytics: QueuedAnalytics, @unchecked Sendable {
  /// Creates analytics that post to an address.
  ///
  /// - Parameters:
  ///   - url: The address, with http or https. A user and a password in it are sent as
  ///     `Authorization: Basic`.
  ///   - queue: The queue of waiting events.
  ///   - options: The header fields and the query, the form of a line, and the size and compression
  ///     of a request.
  ///   - upload: The times and sizes of uploads, the repetition of failed requests, and the limits
  ///     of a request.
  ///   - judging: Returns the verdict on an answer, or nil for the usual verdict. It also gets
  ///     answers that are cut (``HTTPAnswer/isCut``). If it returns nil for a success whose body
  ///     broke off, the events are sent again. Reports show the verdict's detail in one line,
  ///     shortened, without secrets and without words of the events.
  ///   - transport: The transport that sends the requests; nil for a new ``CollectorClient``.
  /// - Throws: ``CollectorError`` if the address or a header field cannot be sent, if the name of a
  ///   field occurs twice with different capitals, if ``HTTPOptions/sentAt`` is empty or names a
  ///   member that a line may already have, if a collector uses this queue or has used it before,
  ///   or if `transport` is nil and the program cannot use HTTP.
  public init(
    url: String, queue: EventQueue, options: HTTPOptions = HTTPOptions(),
    upload: UploadOptions = UploadOptions(),
    judging: (@Sendable (HTTPAnswer) -> DeliveryVerdict?)? = nil,
    transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) {
    var endpoint = try PostTarget(url: url, headers: options.headers, query: options.query)
    endpoint.compression = options.compression
    try super.init(
      LinesDestination(
        endpoint, options.properties, sentAt: options.sentAt, options.limits, judge: judging),
      queue: queue, upload: upload, transport: transport)
  }

  init(
    _ destination: ClickHouseDestination, queue: EventQueue, upload: UploadOptions,
    transport: (any HTTPTransport)?
  ) throws(CollectorError) {
    try super.init(destination, queue: queue, upload: upload, transport: transport)
  }
}
