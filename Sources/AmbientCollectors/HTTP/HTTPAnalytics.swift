internal import Ambient
internal import Foundation

/// Analytics that post lines of JSON to an address: what ClickHouse takes as `JSONEachRow`, and
/// most stores have the like of.
///
/// ```swift
/// Analytics.instance = try HTTPAnalytics(
///   url: "https://clickhouse.example:8443/",
///   headers: ["X-ClickHouse-User": "shop", "X-ClickHouse-Key": key],
///   query: ["query": "INSERT INTO events FORMAT JSONEachRow"],
///   properties: .flattened("_"), queue: EventQueue(folder: "/var/lib/shop/events"))
/// ```
///
/// A line is the event's `TrackedEvent.json`. An answer is understood as its status says
/// (``Verdict/usual(for:now:)``), and one of ClickHouse's by its code. What stands in a header or
/// in the query is shown nowhere.
public final class HTTPAnalytics: QueuedAnalytics, @unchecked Sendable {
  /// Analytics that post to `url`.
  ///
  /// - Parameters:
  ///   - url: Where to, with http or https. A user and a password in it are sent as
  ///     `Authorization: Basic`.
  ///   - headers: Header fields of your own.
  ///   - query: What is added to the address, by name.
  ///   - properties: How properties stand in a line.
  ///   - compression: How bodies are sent; what is limited is the body as it is.
  ///   - queue: Where events wait.
  ///   - limits: The most that one request may have.
  ///   - upload: When events are sent, and how often what failed is tried again.
  ///   - transport: What carries requests; nil for the network.
  /// - Throws: ``CollectorError`` if address or header fields cannot be sent.
  public init(
    url: String, headers: [String: String] = [:], query: [String: String] = [:],
    properties: PropertyLayout = .nested, compression: BodyCompression = .none,
    queue: EventQueue,
    limits: RequestLimits = RequestLimits(events: 10_000, bytes: 4_000_000),
    upload: UploadOptions = UploadOptions(), transport: (any Transport)? = nil
  ) throws(CollectorError) {
    var endpoint = try HTTPEndpoint(url: url, headers: headers, query: query)
    endpoint.compression = compression
    try super.init(
      LinesDestination(endpoint, properties, limits), queue: queue, upload: upload,
      transport: transport)
  }

  init(
    _ destination: ClickHouseDestination, queue: EventQueue, upload: UploadOptions,
    transport: (any Transport)?
  ) throws(CollectorError) {
    try super.init(destination, queue: queue, upload: upload, transport: transport)
  }
}

/// Lines of JSON, posted.
struct LinesDestination: Destination {
  let endpoint: HTTPEndpoint
  let layout: PropertyLayout
  let limits: RequestLimits

  init(_ endpoint: HTTPEndpoint, _ layout: PropertyLayout, _ limits: RequestLimits) {
    self.endpoint = endpoint
    self.layout = layout
    self.limits = limits
  }

  var name: String { "HTTPAnalytics \(endpoint.url.withoutSecrets)" }

  /// A query may name the table, as that of ClickHouse does; a password in it is no part of this.
  var target: String {
    let items = URLComponents(url: endpoint.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let table = items.filter { ["query", "database", "table"].contains($0.name) }
    return "\(endpoint.url.withoutSecrets) \(table.map { "\($0.name)=\($0.value ?? "")" })"
  }

  var secrets: [String] { endpoint.secrets }

  var settingsToCheck: [String] { ["url", "headers", "query"] }

  func entry(for record: [UInt8], now: Date) throws(Refusal) -> Entry {
    guard let line = layout.line(of: record) else { throw Refusal("no line of JSON") }
    return Entry(line)
  }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    endpoint.post(lines: entries)
  }

  func verdict(on answer: Answer, now: Date) -> Verdict {
    .clickHouse(answer) ?? .usual(for: answer, now: now)
  }
}
