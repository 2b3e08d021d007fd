/// What somebody may consent to: ``analytics``, for example, or a purpose of your own.
///
/// ```swift
/// extension ConsentPurpose { static let research: ConsentPurpose = "research" }
/// ```
public struct ConsentPurpose: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name, as it stands in a file.
  public let rawValue: String

  /// To be counted: what is used, and how.
  public static let analytics: ConsentPurpose = "analytics"
  /// To be shown advertisements, and measured by them.
  public static let advertising: ConsentPurpose = "advertising"
  /// To be shown what suits them.
  public static let personalization: ConsentPurpose = "personalization"

  /// The purpose of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The purpose of that name.
  public init(stringLiteral name: String) { self.init(rawValue: name) }

  /// The name.
  public var description: String { rawValue }
}

/// What somebody has answered.
public enum ConsentStatus: String, Hashable, Sendable, CaseIterable {
  /// Nothing yet: what needs the consent is kept where it can be, and not sent.
  case pending
  /// No: what needs the consent is dropped, and what was kept is removed.
  case denied
  /// Yes.
  case granted

  /// A number for each, small enough to be loaded at once.
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
