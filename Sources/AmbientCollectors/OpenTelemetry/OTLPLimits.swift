/// The limits of a record, and of the request that contains the record.
struct OTLPLimits: Sendable {
  /// The limits of a request.
  static var request: RequestLimits { RequestLimits(events: 10_000, bytes: 4_000_000) }

  let count: Int
  /// The maximum number of a text's Unicode scalars; nil for no limit.
  let length: Int?
  /// The number of bytes of a request besides its records.
  let overhead: Int
}
