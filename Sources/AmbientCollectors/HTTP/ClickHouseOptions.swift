// SPDX-License-Identifier: Apache-2.0

/// The user, the settings and the requests of analytics that insert into a table of ClickHouse.
///
/// If the user or the password cannot be sent as a header field, for example because of a line
/// break, ``HTTPAnalytics/clickHouse(url:table:queue:options:upload:transport:)`` throws
/// ``CollectorError``.
public struct ClickHouseOptions: Sendable {
  /// The user who inserts; nil for the user in the address or, without one, ClickHouse's user
  /// `default`.
  public var user: String?
  /// The user's password; nil for the password in the address or, without one, none.
  ///
  /// No report or description shows it, unless it has fewer than four characters.
  public var password: String? {
    get { secret }
    set { secret = newValue }
  }
  @Secret private var secret: String? = nil
  /// Further settings for the server, such as `["async_insert": "1"]`.
  ///
  /// The collector's own `query`, `date_time_input_format` and `input_format_skip_unknown_fields`
  /// replace settings of these names. Reports may show the settings.
  public var settings: [String: String] = [:]
  /// Whether the table's columns are read first; true by default.
  ///
  /// If it is false, rows are sent to a table of any form, and the user needs no right to see its
  /// columns. The server then skips fields without a column, and they are not counted.
  public var looksAtTable = true
  /// The compression of bodies; ``limits`` apply to the uncompressed body.
  public var compression = BodyCompression.gzip
  /// The maximum size of a request; by default, 10,000 events and 4,000,000 bytes.
  ///
  /// ``UploadOptions`` may set lower limits, as they do by default. An event that alone exceeds the
  /// bytes is refused, and counts as lost.
  public var limits = RequestLimits(events: 10_000, bytes: 4_000_000)

  /// Creates options without a user or settings, for compressed rows to a table whose columns are
  /// read first.
  public init() {}
}
