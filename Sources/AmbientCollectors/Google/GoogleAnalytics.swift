/// Analytics that send to Google Analytics 4, by its Measurement Protocol.
///
/// ```swift
/// Analytics.instance = try GoogleAnalytics(
///   measurementID: "G-12345ABCDE", apiSecret: secret, queue: EventQueue(folder: "events/google"))
/// ```
///
/// Properties are parameters, a user's traits are user properties, and the user's id is `user_id`.
/// A client other than the queue's is named by the property or trait `client_id`
/// (`app_instance_id` for apps), a session by `session_id`. What Google would not take is changed
/// or refused (``GoogleOptions/policy``), counted and reported; ``EventValidator/google(_:_:)``
/// says it before. Google answers the same to a wrong id or secret as to right ones, so nobody
/// reports those.
public final class GoogleAnalytics: QueuedAnalytics, @unchecked Sendable {
  /// Analytics that send to a web stream.
  ///
  /// - Parameters:
  ///   - measurementID: The stream, as `G-12345ABCDE`.
  ///   - apiSecret: The secret of the Measurement Protocol; shown nowhere.
  ///   - queue: Where events wait; its client id is that of events which name none.
  ///   - options: What is sent, and how.
  ///   - upload: When events are sent, and how often what failed is tried again.
  ///   - transport: What carries requests; nil for the network.
  /// - Throws: ``CollectorError`` if an id, the secret, an option or the address is malformed,
  ///   or another collector has the queue.
  public convenience init(
    measurementID: String, apiSecret: String, queue: EventQueue,
    options: GoogleOptions = GoogleOptions(), upload: UploadOptions = UploadOptions(),
    transport: (any Transport)? = nil
  ) throws(CollectorError) {
    let identity = try GoogleIdentity(measurementID: measurementID, client: queue.clientID)
    try self.init(identity, apiSecret, queue, options, upload, transport)
  }

  /// Analytics that send to a stream of an app.
  ///
  /// - Parameters:
  ///   - firebaseAppID: The stream, as `1:1234:android:a1b2c3`.
  ///   - appInstanceID: The installation, 32 hexadecimal digits: the app's Firebase SDK says it.
  ///   - apiSecret: The secret of the Measurement Protocol; shown nowhere.
  ///   - queue: Where events wait.
  ///   - options: What is sent, and how.
  ///   - upload: When events are sent, and how often what failed is tried again.
  ///   - transport: What carries requests; nil for the network.
  /// - Throws: ``CollectorError`` if an id, the secret, an option or the address is malformed,
  ///   or another collector has the queue.
  public convenience init(
    firebaseAppID: String, appInstanceID: String, apiSecret: String, queue: EventQueue,
    options: GoogleOptions = GoogleOptions(), upload: UploadOptions = UploadOptions(),
    transport: (any Transport)? = nil
  ) throws(CollectorError) {
    let identity = try GoogleIdentity(
      firebaseAppID: firebaseAppID, appInstanceID: appInstanceID)
    try self.init(identity, apiSecret, queue, options, upload, transport)
  }

  private init(
    _ identity: GoogleIdentity, _ secret: String, _ queue: EventQueue, _ options: GoogleOptions,
    _ upload: UploadOptions, _ transport: (any Transport)?
  ) throws(CollectorError) {
    try super.init(
      GoogleDestination(identity, secret: secret, options), queue: queue, upload: upload,
      transport: transport)
  }
}

extension EventValidator {
  /// Says what ``GoogleAnalytics`` with these options would change or refuse.
  ///
  /// - Parameters:
  ///   - stream: The kind of stream, by which the rules differ.
  ///   - options: The options, as the collector has them.
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
