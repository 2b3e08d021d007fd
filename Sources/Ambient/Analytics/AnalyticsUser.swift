/// The user an event belongs to.
///
/// ```swift
/// Analytics.identify("ada", ["plan": "paid"])  // a program with one user
/// Analytics.withUser("ada") { handle(request) }  // a server
/// ```
public struct AnalyticsUser: Hashable, Sendable, Identifiable, ExpressibleByStringLiteral {
  /// The identity that the program gives the user, unique among users; not a name or an address.
  public var id: String
  /// Other facts about the user; `.private(…)` values stay private, as in an event's properties.
  public var traits: AmbientFields

  /// A user.
  ///
  /// - Parameters:
  ///   - id: The identity that the program gives the user; not a name or an address.
  ///   - traits: Known facts about the user, such as a plan or a language.
  public init(_ id: String, _ traits: AmbientFields = [:]) {
    self.id = id
    self.traits = traits
  }

  /// A user without traits.
  ///
  /// - Parameter id: The identity that the program gives the user.
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

/// Wraps the user in an object, which is the value of the context `Analytics.user`.
final class AnalyticsIdentity: Sendable {
  static let context = AmbientContext<AnalyticsIdentity>(
    "Analytics.user", defaultIsMistake: false, default: { AnalyticsIdentity(nil) },
    host: { Analytics.context.entry })

  let user: AnalyticsUser?
  /// Whether the user belongs only to a part of the program, such as a request, because it was
  /// bound by ``Analytics/withUser(_:_:)`` or assigned within that block.
  let isOfPart: Bool

  init(_ user: AnalyticsUser?, isOfPart: Bool = false) {
    // Compacted, because the user may live long, and traits from a literal have spare memory.
    self.user = user.map { AnalyticsUser($0.id, $0.traits.compact) }
    self.isOfPart = isOfPart
  }
}

extension Analytics {
  /// The user that events tracked here belong to, unless an event names its own; nil if unknown.
  /// Until a user is assigned, it is the user that the analytics in force stored at an earlier
  /// start (``keptUser``).
  ///
  /// Assign it at the start of a program with one user, or when the user changes; `withUser(_:_:)`
  /// is for a part of a program, such as a request to a server. An assignment inside
  /// `withInstance(_:_:)` or `withUser(_:_:)` ends with that scope. Until its scope ends, each
  /// assigned user stays in memory.
  public static var user: AnalyticsUser? {
    get {
      if let identity = AnalyticsIdentity.context.assigned { return identity.user }
      return context.assigned?.keptUser
    }
    set {
      let former = AnalyticsIdentity.context.assigned
      let isOfPart = former?.isOfPart ?? false
      // Assigned only if the user differs, because programs repeat the assignment, and each
      // assigned object stays in memory.
      if former == nil || former?.user != newValue {
        AnalyticsIdentity.context.instance = AnalyticsIdentity(newValue, isOfPart: isOfPart)
      }
      if !isOfPart { context.assigned?.keep(newValue) }
    }
  }

  /// Sets the ``user`` of events tracked here, for a program with one user. Collectors store the
  /// user in their queue's folder, across starts, until ``reset()``.
  ///
  /// - Parameters:
  ///   - id: The identity that the program gives the user; not a name or an address.
  ///   - traits: Known facts about the user, such as a plan or a language.
  public static func identify(_ id: String, _ traits: AmbientFields = [:]) {
    user = AnalyticsUser(id, traits)
  }

  /// Removes the user: from now on, events tracked here belong to no known user. Collectors that
  /// use an anonymous identity make a new one.
  public static func reset() { user = nil }

  /// Tracks an event `alias`, whose property `previous_id` is another identity of the current user.
  ///
  /// Only this call tracks an alias; ``identify(_:_:)`` tracks none.
  ///
  /// - Parameter previousID: The earlier identity, which the destination knows.
  public static func alias(_ previousID: String) {
    track(Event("alias", ["previous_id": previousID]))
  }

  /// Runs `body` with `user` as the user of all events of this task and of those that it starts.
  ///
  /// Only the user is bound: an assignment of ``instance`` in the block has the same effect as
  /// outside.
  ///
  /// ```swift
  /// Analytics.withUser("ada") { handle(request) }
  /// ```
  ///
  /// - Parameters:
  ///   - user: The user; nil for events of no user.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func withUser<R, E: Error>(
    _ user: AnalyticsUser?, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try Bindings.with(binding(user), body)
  }

  /// Runs `body` with `user` as the user of all events of this task and of those that it starts.
  ///
  /// - Parameters:
  ///   - user: The user; nil for events of no user.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @inlinable
  public static func withUser<R, E: Error>(
    _ user: AnalyticsUser?, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await Bindings.with(binding(user), body)
  }

  @usableFromInline
  static func binding(_ user: AnalyticsUser?) -> Bindings {
    AnalyticsIdentity.context.binding(AnalyticsIdentity(user, isOfPart: true))
  }
}
