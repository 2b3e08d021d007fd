/// A purpose that a user may consent to: ``analytics``, for example, or one of your own.
///
/// ```swift
/// extension ConsentPurpose { static let research: ConsentPurpose = "research" }
/// ```
public struct ConsentPurpose: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name, which is the purpose's key in a consent file.
  public let rawValue: String

  /// Measuring how the program is used.
  public static let analytics: ConsentPurpose = "analytics"
  /// Showing advertisements, and measuring them.
  public static let advertising: ConsentPurpose = "advertising"
  /// Adapting content to the user.
  public static let personalization: ConsentPurpose = "personalization"

  /// The purpose of that name.
  ///
  /// - Parameter rawValue: The purpose's key in a consent file.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The purpose of that name.
  ///
  /// - Parameter name: The purpose's key in a consent file.
  public init(stringLiteral name: String) { self.init(rawValue: name) }

  /// The name.
  public var description: String { rawValue }
}
