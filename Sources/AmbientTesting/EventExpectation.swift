// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The expectation of one tracked event: its name, its properties and its user.
///
/// ```swift
/// try recorder.require(
///   EventExpectation("purchase", ["value": 19.9, "coupon": nil], user: "ada"),
///   EventExpectation("view_item", user: .none),
///   EventExpectation(["item": "coffee"]))
/// ```
public struct EventExpectation: Hashable, Sendable {
  /// The expected user of an event; a string literal is an `id`.
  @nonexhaustive
  public enum User: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Any user, or none.
    case any
    /// No known user.
    case none
    /// The user with this `AnalyticsUser.id` and any traits.
    case id(String)

    /// Creates the expectation of a user with this identity.
    ///
    /// - Parameter id: The user's `AnalyticsUser.id`.
    public init(stringLiteral id: String) { self = .id(id) }
  }

  /// The event's name; nil for any.
  private let name: String?
  let fields: ExpectedFields
  private let user: User

  /// Creates an expectation of these parts.
  ///
  /// - Parameters:
  ///   - name: The event's name; nil for any.
  ///   - properties: Properties that the event has, among others; nil for a property that it must
  ///     not have.
  ///   - user: The user to whom the event belongs (`TrackedEvent.user`).
  public init(_ name: String? = nil, _ properties: ExpectedFields = [:], user: User = .any) {
    self.name = name
    fields = properties
    self.user = user
  }

  /// Creates an expectation of these properties, with any name.
  ///
  /// - Parameters:
  ///   - properties: Properties that the event has, among others; nil for a property that it must
  ///     not have.
  ///   - user: The user to whom the event belongs.
  public init(_ properties: ExpectedFields, user: User = .any) {
    self.init(nil, properties, user: user)
  }

  /// Creates an expectation of a name, the properties in a variable of type `AmbientFields`, and a
  /// user.
  ///
  /// - Parameters:
  ///   - name: The event's name; nil for any.
  ///   - properties: Properties that the event has, among others.
  ///   - user: The user to whom the event belongs.
  @_disfavoredOverload
  public init(_ name: String? = nil, _ properties: AmbientFields, user: User = .any) {
    self.init(name, ExpectedFields(properties), user: user)
  }

  /// Creates an expectation of the properties in a variable of type `AmbientFields`, with any name.
  ///
  /// - Parameters:
  ///   - properties: Properties that the event has, among others.
  ///   - user: The user to whom the event belongs.
  @_disfavoredOverload
  public init(_ properties: AmbientFields, user: User = .any) {
    self.init(ExpectedFields(properties), user: user)
  }

  /// Creates an expectation of an event's name, properties, and user, if it names one.
  ///
  /// - Parameters:
  ///   - event: The event, whose properties the tracked event has, among others. If it names a
  ///     user, the tracked event belongs to the user with that identity.
  public init(_ event: Event) {
    self.init(event.name, event.properties, user: event.user.map { .id($0.id) } ?? .any)
  }
}

extension EventExpectation: RecorderExpectation {
  static var verb: String { "tracked" }

  func differences(from event: TrackedEvent) -> [String] {
    var lines: [String] = []
    if let name, name != event.event.name {
      lines.append("name: expected “\(Shown.text(name))”, found “\(Shown.text(event.event.name))”")
    }
    if !user.isMet(by: event.user) {
      let found = event.user.map { User.id($0.id) } ?? User.none
      lines.append("user: expected \(user.shown), found \(found.shown)")
    }
    return lines
  }

  func isMet(by event: TrackedEvent) -> Bool {
    (name == nil || name == event.event.name) && user.isMet(by: event.user)
  }

  static func fields(of event: TrackedEvent) -> AmbientFields { event.event.properties }

  /// The event's JSON with the user of its caller, if the event names none.
  static func line(of event: TrackedEvent) -> String {
    Event(event.event.name, event.event.properties, user: event.user).json
  }
}

extension EventExpectation.User {
  fileprivate func isMet(by found: AnalyticsUser?) -> Bool {
    switch self {
    case .any: true
    case .none: found == nil
    case .id(let id): found?.id == id
    }
  }

  fileprivate var shown: String {
    switch self {
    case .any: "any"
    case .none: "none"
    case .id(let id): "“\(Shown.text(id))”"
    }
  }
}

extension EventExpectation: CustomStringConvertible {
  /// The name, the properties and the user, separated by two spaces.
  ///
  /// Example: `purchase  value=19.9 coupon=none  user “ada”`. Long texts are cut.
  public var description: String {
    Shown.line(
      name.map(Shown.text) ?? "any event", fields.shown,
      user == .any ? nil : "user \(user.shown)")
  }
}
