internal import Ambient
internal import Foundation

/// The program's user, kept across starts in the file `identity` of a queue's folder.
///
/// The file has the known user and the anonymous identity, in the form of an event's line. A denial
/// of consent removes both, and nothing is kept while it holds. The first use of each makes or
/// stores it. Safe to use from any thread.
final class QueueIdentity: Sendable {
  private struct State {
    var user: AnalyticsUser?
    var anonymousID: String?
    /// The number of denials when user or identity was last stored.
    var denials: UInt
    /// Whether another process may have the folder.
    var isClosed = false
    var isTroubleTold = false
  }

  private static var name: String { "identity" }
  private static var longest: Int { 1 << 16 }

  /// Whether events get an anonymous identity.
  let hasAnonymous: Bool
  private let folder: String
  private let answer: ConsentSwitch?
  private let state: Guarded<State>

  /// Reads the file, or removes it if consent is denied.
  init(in folder: String, hasAnonymous: Bool, _ answer: ConsentSwitch?) {
    self.folder = folder
    self.hasAnonymous = hasAnonymous
    self.answer = answer
    var state = State(denials: answer?.denials ?? 0)
    if answer?.status == .denied {
      QueueNotes.remove(Self.name, in: folder)
    } else if let kept = Self.read(in: folder) {
      state.user = kept.user
      // Dropped if not asked for, so that no later events share an identity with earlier ones.
      state.anonymousID = hasAnonymous ? kept.anonymousID : nil
    }
    self.state = Guarded(state)
  }

  private static func read(
    in folder: String
  ) -> (user: AnalyticsUser?, anonymousID: String?)? {
    let path = QueueNotes.path(name, in: folder)
    guard FileSystem.exists(path) else { return nil }
    let text = FileSystem.text(path, limit: longest)
    if let text, let kept = TrackedEvent.owner(inJSON: Array(text.utf8)),
      kept.anonymousID.map({ UUID(uuidString: $0) != nil }) ?? true
    {
      return kept
    }
    Diagnostics.report(
      Diagnostic(
        .damaged, source: "EventQueue \(folder)",
        """
        the file “\(name)” cannot be read: events belong to no known user until one is identified, \
        and to a new anonymous identity where one is asked for
        """))
    QueueNotes.remove(name, in: folder)
    return nil
  }

  /// The known user; nil if there is none.
  var user: AnalyticsUser? { state.withLock { $0.user } }

  /// The anonymous identity, made by its first use; nil unless it is asked for, and while consent
  /// is denied.
  var anonymousID: String? {
    guard hasAnonymous else { return nil }
    let (id, trouble) = state.withLock { state -> (String?, String?) in
      if let id = state.anonymousID, answer?.status != .denied { return (id, nil) }
      guard isTaking(state) else { return (nil, nil) }
      // Random only: it tells nothing of the machine, or of the time at which it was made.
      let id = UUID().uuidString.lowercased()
      state.anonymousID = id
      return (id, write(&state))
    }
    report(trouble)
    return id
  }

  /// Stores the user; nil removes the stored one. Another user than the known one, or none, gets a
  /// new anonymous identity: events of both must not be joined by it.
  func keep(_ user: AnalyticsUser?) {
    let trouble = state.withLock { state -> String? in
      guard isTaking(state) else { return nil }
      let isSame = user != nil && (state.user == nil || state.user?.id == user?.id)
      guard !isSame || state.user != user else { return nil }
      if !isSame { state.anonymousID = nil }
      state.user = user
      return write(&state)
    }
    report(trouble)
  }

  /// Removes the user if it is the stored one; returns the anonymous identity, which is removed,
  /// too.
  func erase(_ id: AnalyticsUser.ID) -> String? {
    let (anonymousID, trouble) = state.withLock { state -> (String?, String?) in
      guard state.user?.id == id, !state.isClosed else { return (nil, nil) }
      let anonymousID = state.anonymousID
      (state.user, state.anonymousID) = (nil, nil)
      return (anonymousID, write(&state))
    }
    report(trouble)
    return anonymousID
  }

  /// Removes user and identity if they were stored before the last of that many denials.
  func forget(before denials: UInt) {
    let trouble = state.withLock { state -> String? in
      guard Int(bitPattern: denials &- state.denials) > 0, !state.isClosed else { return nil }
      (state.user, state.anonymousID) = (nil, nil)
      return write(&state)
    }
    report(trouble)
  }

  /// Stops writing to the folder.
  func close() { state.withLock { $0.isClosed = true } }

  private func isTaking(_ state: borrowing State) -> Bool {
    !state.isClosed && answer?.status != .denied
  }

  /// Writes or removes the file; returns the failure, if none was reported before.
  ///
  /// Not durable: a loss of power costs the last change, and no event.
  private func write(_ state: inout State) -> String? {
    state.denials = answer?.denials ?? 0
    let path = QueueNotes.path(Self.name, in: folder)
    do throws(SystemError) {
      if state.user == nil, state.anonymousID == nil {
        try FileSystem.remove(path)
      } else {
        var fields = AmbientFields()
        if let user = state.user {
          fields["user"] = .fields(["id": user.id, "traits": user.traits])
        }
        fields["anonymous_id"] = state.anonymousID.map { .string($0) }
        try FileSystem.replace(
          path, by: "\(AmbientValue.fields(fields).json)\n", isDurable: false)
      }
      state.isTroubleTold = false
    } catch {
      guard !state.isTroubleTold else { return nil }
      state.isTroubleTold = true
      return "\(error)"
    }
    return nil
  }

  private func report(_ trouble: String?) {
    guard let trouble else { return }
    Diagnostics.report(
      Diagnostic(
        .writeFailed, source: "EventQueue \(folder)",
        """
        the file “\(Self.name)” cannot be written (\(trouble)): whose events are holds until the \
        program ends; make room, or let this user write to the folder
        """))
  }
}
