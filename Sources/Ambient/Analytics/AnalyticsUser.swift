/// Whose an event is.
///
/// ```swift
/// Analytics.identify("ada", ["plan": "paid"])  // a program with one user
/// Analytics.withUser("ada") { handle(request) }  // a server
/// ```
public struct AnalyticsUser: Hashable, Sendable, Identifiable, ExpressibleByStringLiteral {
  /// What tells this user from every other, as the program knows them: a key, not a name.
  public var id: String
  /// What else is known of the user; what is `.private(…)` is kept private, as in properties.
  public var traits: AmbientFields

  /// A user.
  public init(_ id: String, _ traits: AmbientFields = [:]) {
    self.id = id
    self.traits = traits
  }

  /// A user of whom nothing else is known.
  public init(stringLiteral id: String) { self.init(id) }
}

extension AnalyticsUser {
  func append(to line: inout LineBuffer) {
    line.append("{\"id\":")
    line.append(json: id)
    line.append(",\"traits\":")
    traits.read { line.append(json: $0) }
    line.append("}")
  }
}

/// Whose the events are that are tracked in a place.
final class AnalyticsIdentity: Sendable {
  static let context = AmbientContext<AnalyticsIdentity>(
    "Analytics.user", defaultIsMistake: false, default: { AnalyticsIdentity(nil) },
    host: { Analytics.context.entry })

  private let user: AnalyticsUser?

  init(_ user: AnalyticsUser?) {
    // It may live long, and a literal's memory is larger than what it holds.
    self.user = user.map { AnalyticsUser($0.id, $0.traits.compact) }
  }

  @inline(__always)
  static var current: AnalyticsUser? { context.assigned?.user }
}

extension Analytics {
  /// Whose events are tracked here, unless an event says it itself; nil for nobody that is known.
  ///
  /// Assign it at the start of a program with one user, or when that changes; ``withUser(_:_:)`` is
  /// for a part of a program, as for a request to a server. An assignment in a scope of the
  /// analytics (``withInstance(_:_:)``), or of the user, ends with that scope. Each user that was
  /// ever assigned is kept in memory until then.
  public static var user: AnalyticsUser? {
    get { AnalyticsIdentity.current }
    set {
      // Programs say it again and again, and each assignment is kept.
      guard newValue != AnalyticsIdentity.current else { return }
      AnalyticsIdentity.context.instance = AnalyticsIdentity(newValue)
    }
  }

  /// Notes whose events are tracked here from now on: ``user``, for a program with one user.
  public static func identify(_ id: String, _ traits: AmbientFields = [:]) {
    user = AnalyticsUser(id, traits)
  }

  /// Forgets whose events are tracked here: they are nobody's that is known from now on.
  public static func reset() { user = nil }

  /// Runs `body` with all events of this task, and of those that it starts, being that user's.
  ///
  /// It binds the user alone: an assignment of ``instance`` in it goes where it would go outside.
  ///
  /// ```swift
  /// Analytics.withUser("ada") { handle(request) }
  /// ```
  @inlinable
  public static func withUser<R, E: Error>(
    _ user: AnalyticsUser?, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(user), body)
  }

  /// Runs `body` with all events of this task, and of those that it starts, being that user's.
  @inlinable
  public static func withUser<R, E: Error>(
    _ user: AnalyticsUser?, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(user), body)
  }

  @usableFromInline
  static func binding(_ user: AnalyticsUser?) -> Bindings {
    AnalyticsIdentity.context.binding(AnalyticsIdentity(user))
  }
}
