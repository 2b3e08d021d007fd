// SPDX-License-Identifier: Apache-2.0

// Dependency mixins: a type that conforms to a protocol `Requires…` gets the service as a property,
// and needs no initializer for it. The application implements the property once for all types, in
// an extension of the protocol.
//
// ```swift
// let sign = WelcomeSign()  // no initializer passes the phrases
// let shown = sign.text(for: mia)
// ```
//
// This style is right for services that nearly every type uses, where initializers grow long, and
// where a framework makes the objects. Ambient's `RequiresLog`, `RequiresTime` and
// `RequiresAnalytics` are such protocols. The style fails by not compiling if no extension
// implements the property. The compiler does not see a misspelt property: a type that meant to
// declare its own service gets the shared one. The style is wrong for a service that decides what a
// type does, such as a repository.

internal import Ambient

// MARK: The protocol: a library declares it, and the application implements it

/// The texts of a shop in the customer's language: nearly every screen uses them.
public protocol Phrases: Sendable {
  /// Greets a customer.
  ///
  /// - Parameter customer: The customer, whose name is part of the text.
  /// - Returns: The sentence for the door.
  func welcome(_ customer: Customer) -> String
  /// Says that a customer leads a team.
  ///
  /// - Parameter customer: The customer who leads the team.
  /// - Returns: The sentence for a sign.
  func leads(_ customer: Customer) -> String
}

/// Requires phrases.
public protocol RequiresPhrases {
  /// The application's phrases, unless the type declares its own.
  var phrases: any Phrases { get }
}

// MARK: The application: one implementation of the requirement, for all types that adopt it

/// The language of the application.
public enum Language {
  private static let context = AmbientContext<any Phrases>("Language") { EnglishPhrases() }

  /// The phrases that all types get; a test assigns others in its own scope.
  public static var phrases: any Phrases {
    get { context.instance }
    set { context.instance = newValue }
  }
}

private struct EnglishPhrases: Phrases {
  func welcome(_ customer: Customer) -> String { "Welcome, \(customer.name)!" }
  func leads(_ customer: Customer) -> String { "\(customer.name) leads a team." }
}

// The extension is not public, because it serves only the types of this module. Another module has
// an extension of its own for its types.
extension RequiresPhrases {
  var phrases: any Phrases { Language.phrases }
}

// MARK: The application: the types that require phrases

/// Greets a customer at the door.
///
/// In a public type, the property that fulfills a public protocol must be public, too. The property
/// of the extension is not, so this type declares its own.
public struct WelcomeSign: RequiresPhrases {
  /// The application's phrases.
  public var phrases: any Phrases { Language.phrases }

  /// Creates a sign in the language of the application.
  public init() {}

  /// The greeting of a customer.
  ///
  /// - Parameter customer: The customer at the door.
  /// - Returns: The text, in the language of the application.
  public func text(for customer: Customer) -> String { phrases.welcome(customer) }
}

/// A sign that names the leader of a team; unlike ``WelcomeSign``, it has no property `phrases`.
///
/// A type that adopts a mixin gets a property, which is visible wherever the type is. Here a nested
/// type adopts the mixin, so the property is visible only through `dependencies`.
public struct TeamSign: Sendable {
  private struct Dependencies: RequiresPhrases {}
  private let dependencies = Dependencies()

  /// Creates a sign in the language of the application.
  public init() {}

  /// The text about a leader.
  ///
  /// - Parameter leader: The customer who leads the team.
  /// - Returns: The text, in the language of the application.
  public func text(for leader: Customer) -> String { dependencies.phrases.leads(leader) }
}
