/// The user an event belongs to.
///
/// ```swift
/// Analytics.identify("ada", ["plan": "paid"])  // a program with one user
/// Analytics.withUser("ada") { handle(request) }  // a server
/// ```
public struct AnalyticsUser: Hashable, Sendable, Identifiable, ExpressibleByStringLiteral {
  /// The program's key for the user, unique among users: not a name.
  public var id: String
  /// Other facts about the user; `.private(…)` values stay private, as in properties.
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

/// The value of the context that holds the user, wrapped in an object.
final class AnalyticsIdentity: Sendable {
  static let context = AmbientContext<AnalyticsIdentity>(
    "Analytics.user", defaultIsMistake: false, default: { AnalyticsIdentity(nil) },
    host: { Analytics.context.entry })

  let user: AnalyticsUser?
  /// Whether the user belongs to a part of the program only, such as a request: bound by
  /// ``Analytics/withUser(_:_:)``, or assigned within it.
  let isOfPart: Bool

  init(_ user: AnalyticsUser?, isOfPart: Bool = false) {
    // Compact, since it may live long, and a literal's memory has room to spare.
    self.user = user.map { AnalyticsUser($0.id, $0.traits.compact) }
    self.isOfPart = isOfPart
  }
}

extension Analytics {
  /// The user that events tracked here belong to, unless an event names its own; nil if unknown.
  /// Until one is assigned, it is the user of an earlier start that the analytics in force have
  /// kept (``keptUser``).
  ///
  /// Assign it at the start of a program with one user, or when the user changes;
  /// `withUser(_:_:)` is for a part of a program, such as a request to a server. An assignment in
  /// a scope of the analytics (`withInstance(_:_:)`), or of the user, ends with that scope. Until
  /// then, each assigned user is kept in memory.
  public static var user: AnalyticsUser? {
    get {
      if let identity = AnalyticsIdentity.context.assigned { return identity.user }
      return context.assigned?.keptUser
    }
    set {
      let former = AnalyticsIdentity.context.assigned
      let isOfPart = former?.isOfPart ?? false
      // Assigned only if it differs: programs repeat it, and each assignment is kept.
      if former == nil || former?.user != newValue {
        AnalyticsIdentity.context.instance = AnalyticsIdentity(newValue, isOfPart: isOfPart)
      }
      if !isOfPart { context.assigned?.keep(newValue) }
    }
  }

  /// Sets the ``user`` of events tracked here, for a program with one user. Collectors keep it in
  /// their queue's folder, across starts, until ``reset()``.
  ///
  /// - Parameters:
  ///   - id: The identity that the program gives the user; not a name or an address.
  ///   - traits: Known facts about the user, as a plan or a language.
  public static func identify(_ id: String, _ traits: AmbientFields = [:]) {
    user = AnalyticsUser(id, traits)
  }

  /// Removes the user: events tracked here belong to no known user from now on, and to another
  /// anonymous identity, where collectors have one.
  public static func reset() { user = nil }

  /// Tracks that another identity belongs to the user known here, as an event `alias` with the
  /// property `previous_id`.
  ///
  /// It is tracked only when called: ``identify(_:_:)`` does not.
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
