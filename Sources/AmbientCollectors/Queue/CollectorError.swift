public import Ambient

/// The reason why a collector cannot be created. It contains no secret.
public enum CollectorError: DescribedError, Hashable {
  /// The address is malformed.
  case invalidURL(_ shown: String, reason: String)
  /// A header field cannot be sent.
  case invalidHeader(name: String, reason: String)
  /// The folder of the queue cannot be used.
  case queue(JournalError)
  /// Another collector of this process has claimed the queue.
  case queueTaken(folder: String)
  /// The file with the client id cannot be written.
  case clientID(path: String)
  /// The program cannot use HTTP.
  case noHTTP(HTTPClientError)
  /// A setting of a collector is invalid.
  case invalidSetting(name: String, reason: String)

  /// The fault, where it is, and advice.
  public var description: String {
    switch self {
    case .invalidURL(let shown, let reason):
      "cannot send to “\(shown)”: \(reason); give an address as https://events.example/path"
    case .invalidHeader(let name, let reason):
      "cannot send the header field “\(name)”: \(reason)"
    case .queue(let error): error.description
    case .queueTaken(let folder):
      """
      this process has given the queue “\(folder)” to another collector already; open one for each \
      collector, in a folder of its own
      """
    case .clientID(let path):
      "cannot write “\(path)”: let this user write to the folder, or give a client id"
    case .noHTTP(let error): error.description
    case .invalidSetting(let name, let reason): "the setting “\(name)” is wrong: \(reason)"
    }
  }
}
