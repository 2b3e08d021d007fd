// SPDX-License-Identifier: Apache-2.0

/// The user to whom an event belongs.
///
/// ```swift
/// Analytics.identify("ada", ["plan": "paid"])  // a program with one user
/// Analytics.withUser("ada") { handle(request) }  // a server
/// ```
public struct AnalyticsUser: _Nonisolated, Hashable, Sendable, Identifiable,
  ExpressibleByStringLiteral
{
  /// The identity that the program gives the user, unique among users; not a name or an address.
  public var id: String
  /// Other facts about the user; `.private(…)` values stay private, as in an event's properties.
  public var traits: AmbientFields

  /// Creates a user.
  ///
  /// - Parameters:
  ///   - id: The identity that the program gives the user; not a name or an address.
  ///   - traits: Known facts about the user, such as a plan or a language.
  public init(_ id: String, _ traits: AmbientFields = [:]) {
    self.id = id
    self.traits = traits
  }

  /// Creates a user without traits.
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
    "Analytics.user", defaultIsMistake: false, default: { AnalyticsIdentity(nil) })

  let user: AnalyticsUser?
  /// Whether the user belongs only to some of the program's work, such as one request. This is the
  /// case if ``Analytics/withUser(_:_:)`` bound the user, or if its block assigned the user.
  let isOfPart: Bool

  init(_ user: AnalyticsUser?, isOfPart: Bool = false) {
    // The traits are compacted, because the user may be stored for long, and traits from a literal
    // have spare memory.
    self.user = user.map { AnalyticsUser($0.id, $0.traits.compact) }
    self.isOfPart = isOfPart
  }
}

extension Analytics {
  /// The current user: every event that names no user of its own belongs to this user.
  ///
  /// Nil if the user is unknown. Until a user is assigned, this is the user that the current
  /// analytics have stored, usually at an earlier start (``storedUser``). Until then, an event that
  /// other analytics track belongs to the user that those have stored.
  ///
  /// Assign the user at the start of a program with one user, or when the user changes. In a
  /// program that serves several users at once, such as a server, call `withUser(_:_:)` for each
  /// request instead. An assignment inside `withInstance(_:_:)`, `withUser(_:_:)` or an isolating
  /// scope ends with that scope. Outside `withUser(_:_:)`, an assignment also makes the current
  /// analytics store the user; see ``identify(_:_:)``. Each assigned user stays in memory until
  /// the scope of its assignment, or the program, ends.
  public static var user: AnalyticsUser? {
    get {
      if let identity = AnalyticsIdentity.context.assigned { return identity.user }
      return context.assigned?.storedUser
    }
    set {
      let former = AnalyticsIdentity.context.assigned
      let isOfPart = former?.isOfPart ?? false
      // Assigns a new object only if the user differs, because programs repeat the assignment, and
      // each assigned object stays in memory.
      if former == nil || former?.user != newValue {
        AnalyticsIdentity.context.instance = AnalyticsIdentity(newValue, isOfPart: isOfPart)
      }
      if !isOfPart { context.assigned?.store(newValue) }
    }
  }

  /// Sets the current ``user``; meant for programs that have one user at a time.
  ///
  /// Collectors store the user in the folder of their queue, and read it again at the next start.
  /// If another user was stored, a new anonymous identity begins. A call of ``reset()``, an erasure
  /// or a denial of consent removes the stored user. While consent is denied, a collector stores no
  /// user, and neither does a collector that is off or shut down. A collector that is off also
  /// removes another stored user. In a block of `withUser(_:_:)`, the call sets the user of the
  /// block only, and stores nothing.
  ///
  /// - Parameters:
  ///   - id: The identity that the program gives the user; not a name or an address.
  ///   - traits: Known facts about the user, such as a plan or a language.
  public static func identify(_ id: String, _ traits: AmbientFields = [:]) {
    user = AnalyticsUser(id, traits)
  }

  /// Removes the current ``user``, so that later events belong to no known user.
  ///
  /// Collectors remove the stored user, and create a new anonymous identity if they use one. A
  /// collector that is shut down keeps the stored user. In a block of `withUser(_:_:)`, the call
  /// removes the user of the block only.
  public static func reset() { user = nil }

  /// Tracks an event `alias`, which says that two identities are one user: the event belongs to
  /// `userID`, and its property `previous_id` is `previousID`.
  ///
  /// A call of ``identify(_:_:)`` tracks no such event. The order is that of analytics.js.
  ///
  /// - Parameters:
  ///   - userID: The identity from now on, for the destination; ``user`` does not change.
  ///   - previousID: The earlier identity, which the destination knows.
  public static func alias(_ userID: String, previousID: String) {
    track(Event("alias", ["previous_id": previousID], user: AnalyticsUser(userID)))
  }

  /// Runs `body` with `user` as the current user of this task and of the tasks that `body` starts.
  ///
  /// Only the user is bound. A detached task does not belong to the scope; see ``AmbientScope``. An
  /// assignment of ``instance`` in the block has the same effect as outside the block.
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

  /// Runs `body` with `user` as the current user of this task and of the tasks that `body` starts.
  ///
  /// Only the user is bound. A detached task does not belong to the scope; see ``AmbientScope``. An
  /// assignment of ``instance`` in the block has the same effect as outside the block.
  ///
  /// - Parameters:
  ///   - user: The user; nil for events of no user.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @_disfavoredOverload
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
