/// The kind of a data stream of Google Analytics.
public enum GoogleStream: Hashable, Sendable {
  /// A web stream, with a measurement id and client ids.
  case web
  /// A stream of an app, with a Firebase app id and app instance ids.
  case app
}
