/// A user's answer to a request for consent.
public enum ConsentStatus: String, Hashable, Sendable, CaseIterable {
  /// The user has not answered yet. Services hold events if they can store them, and send none.
  case pending
  /// The user denied consent. Services drop new events, and remove the events that they stored.
  case denied
  /// The user granted consent. Services send events.
  case granted

  /// The status as a number of two bits, which ``ConsentSwitch`` stores in its atomic word.
  var code: UInt8 {
    switch self {
    case .pending: 0
    case .denied: 1
    case .granted: 2
    }
  }

  init(code: UInt8) {
    switch code {
    case 1: self = .denied
    case 2: self = .granted
    default: self = .pending
    }
  }
}
