// SPDX-License-Identifier: Apache-2.0

/// The requests and lines of an ``HTTPAnalytics``.
public struct HTTPOptions: Sendable {
  /// The header fields, which replace the collector's own fields, such as `Content-Type`,
  /// `Authorization` and `User-Agent`.
  ///
  /// Reports hide their values, except that of `Content-Type` and those of fewer than four
  /// characters. If a field cannot be sent, or a name occurs twice with different capitals, the
  /// initializer of ``HTTPAnalytics`` throws ``CollectorError``.
  public var headers: [String: String] {
    get { fields }
    set { fields = newValue }
  }
  @Secret private var fields: [String: String] = [:]
  /// Items that are added to the query of the address, by name.
  ///
  /// Reports hide their values, except those of fewer than four characters.
  public var query: [String: String] {
    get { items }
    set { items = newValue }
  }
  @Secret private var items: [String: String] = [:]
  /// The layout of the properties and the user in a line; nested by default.
  public var properties = PropertyLayout.nested
  /// The name of a member that each line gets, such as `sent_at`, with the time of the request in
  /// ISO 8601; nil for none.
  ///
  /// By this time and the time of arrival, a server can correct the event's `time` if this
  /// machine's clock is wrong. A repeated request has the time of its repetition. If the name is
  /// empty, or one that a line may already have, the initializer of ``HTTPAnalytics`` throws
  /// ``CollectorError``.
  public var sentAt: String?
  /// The compression of bodies; ``limits`` apply to the uncompressed body.
  public var compression = BodyCompression.identity
  /// The maximum size of a request; by default, 10,000 events and 4,000,000 bytes.
  ///
  /// ``UploadOptions`` may set lower limits, as they do by default. An event that alone exceeds the
  /// bytes is refused, and counts as lost.
  public var limits = RequestLimits(events: 10_000, bytes: 4_000_000)

  /// Creates options without header fields and query items, for uncompressed lines in the format of
  /// `TrackedEvent.json`.
  public init() {}
}
