// SPDX-License-Identifier: Apache-2.0

/// Analytics that upload to Google Analytics 4, by its Measurement Protocol.
///
/// ```swift
/// Analytics.instance = try GoogleAnalytics(
///   measurementID: "G-12345ABCDE", apiSecret: secret, queue: EventQueue(folder: "events/google"))
/// ```
///
/// Properties become parameters, a user's traits become user properties, and the user's id becomes
/// `user_id`. The property or trait `client_id` (`app_instance_id` for apps) names a client other
/// than the collector's; an event with a malformed one is refused. `session_id` names a session.
/// The objects `user_location` and `device` are sent as the user's location and device. Other
/// values that Google would not accept are changed, or their event is refused
/// (``GoogleOptions/policy``); both are counted and reported. ``EventValidator/google(_:_:)`` finds
/// such values beforehand. The collector cannot detect a wrong id or secret, because Google gives
/// the same answer to it as to a right one.
public final class GoogleAnalytics: QueuedAnalytics, @unchecked Sendable {
  /// Creates analytics that upload to a web stream.
  ///
  /// - Parameters:
  ///   - measurementID: The stream's id, such as `G-12345ABCDE`.
  ///   - apiSecret: The secret of the Measurement Protocol; no report or description shows it,
  ///     unless it has fewer than four characters.
  ///   - queue: The queue of waiting events. An event that names no client gets a client id from
  ///     its anonymous identity or, without one, that of the queue, which must be two positive
  ///     numbers joined by a period.
  ///   - options: The endpoint, the rules, the consent, the session and the mapping.
  ///   - upload: The times and sizes of uploads, the repetition of failed requests, and the limits
  ///     of a request.
  ///   - transport: The transport that sends the requests; nil for a new ``CollectorClient``.
  /// - Throws: ``CollectorError`` if an id, also that of the queue, the secret, an option or the
  ///   address is malformed, if a collector uses this queue or has used it before, or if
  ///   `transport` is nil and the program cannot use HTTP.
  public convenience init(
    measurementID: String, apiSecret: String, queue: EventQueue,
    options: GoogleOptions = GoogleOptions(), upload: UploadOptions = UploadOptions(),
    transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) {
    let identity = try GoogleIdentity(measurementID: measurementID, client: queue.clientID)
    try self.init(identity, apiSecret, queue, options, upload, transport)
  }

  /// Creates analytics that upload to a stream of an app.
  ///
  /// - Parameters:
  ///   - firebaseAppID: The stream's id, such as `1:1234:android:a1b2c3`.
  ///   - appInstanceID: The installation's id of 32 hexadecimal digits, from the app's Firebase
  ///     SDK.
  ///   - apiSecret: The secret of the Measurement Protocol; no report or description shows it,
  ///     unless it has fewer than four characters.
  ///   - queue: The queue of waiting events.
  ///   - options: The endpoint, the rules, the consent, the session and the mapping.
  ///   - upload: The times and sizes of uploads, the repetition of failed requests, and the limits
  ///     of a request.
  ///   - transport: The transport that sends the requests; nil for a new ``CollectorClient``.
  /// - Throws: ``CollectorError`` if an id, the secret, an option or the address is malformed, if a
  ///   collector uses this queue or has used it before, or if `transport` is nil and the program
  ///   cannot use HTTP.
  public convenience init(
    firebaseAppID: String, appInstanceID: String, apiSecret: String, queue: EventQueue,
    options: GoogleOptions = GoogleOptions(), upload: UploadOptions = UploadOptions(),
    transport: (any HTTPTransport)? = nil
  ) throws(CollectorError) {
    let identity = try GoogleIdentity(
      firebaseAppID: firebaseAppID, appInstanceID: appInstanceID)
    try self.init(identity, apiSecret, queue, options, upload, transport)
  }

  private init(
    _ identity: GoogleIdentity, _ secret: String, _ queue: EventQueue, _ options: GoogleOptions,
    _ upload: UploadOptions, _ transport: (any HTTPTransport)?
  ) throws(CollectorError) {
    try super.init(
      GoogleDestination(identity, secret: secret, options), queue: queue, upload: upload,
      transport: transport)
  }
}

extension EventValidator {
  /// Returns a validator that finds what ``GoogleAnalytics`` with these options would change,
  /// refuse, or send although it breaks a rule.
  ///
  /// - Parameters:
  ///   - stream: The kind of stream; the rules for names and clients depend on it.
  ///   - options: The options of the collector.
  /// - Returns: A validator, which sends nothing.
  public static func google(
    _ stream: GoogleStream = .web, _ options: GoogleOptions = GoogleOptions()
  ) -> EventValidator {
    let client = stream == .web ? "1.1" : String(repeating: "0", count: 32)
    return EventValidator(policy: options.policy) {
      GoogleFormat(stream: stream, client: client, options: options)
    }
  }
}
