internal import Ambient
internal import Foundation

/// Who the program's user is, kept across starts: the file `identity` in a queue's folder.
///
/// It has the known user and the anonymous identity as the line of an event has them. Both go when
/// consent is denied, and none is kept while it is. Each is made or kept by its first use.
final class QueueIdentity: Sendable {
  private struct State {
    var user: AnalyticsUser?
    var anonymousID: String?
    /// How often consent had been denied when either was last kept.
    var denials: UInt
    /// Whether the folder may belong to another process.
    var isClosed = false
  }

  private static var name: String { "identity" }
  private static var longest: Int { 1 << 16 }

  /// Whether an anonymous identity is asked for.
  let hasAnonymous: Bool
  private let folder: String
  private let answer: ConsentSwitch?
  private let state: Guarded<State>
  /// Whether it was reported that the file cannot be written. Held while that is written, and not
  /// `state`, so that a slow disk stalls no event.
  private let isTroubleTold = Guarded(false)

  /// Reads the file, which is removed if consent is denied.
  init(in folder: String, hasAnonymous: Bool, _ answer: ConsentSwitch?) {
    self.folder = folder
    self.hasAnonymous = hasAnonymous
    self.answer = answer
    var state = State(denials: answer?.denials ?? 0)
    if answer?.status == .denied {
      QueueNotes.remove(Self.name, in: folder)
    } else if let kept = Self.read(in: folder) {
      state.user = kept.user
      // What no collector here makes must not be shared by those who made it.
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

  /// The anonymous identity, which the first use makes; nil unless it is asked for, and while
  /// consent is denied.
  var anonymousID: String? {
    guard hasAnonymous else { return nil }
    let (id, isNew) = state.withLock { state -> (String?, Bool) in
      if let id = state.anonymousID, answer?.status != .denied { return (id, false) }
      guard isTaking(state) else { return (nil, false) }
      // By chance alone: it says nothing of the machine, or of when it was made.
      let id = UUID().uuidString.lowercased()
      state.anonymousID = id
      state.denials = answer?.denials ?? 0
      return (id, true)
    }
    if isNew { write() }
    return id
  }

  /// Keeps the user; nil removes the one that was kept. Another user than the one that was known,
  /// or none, has another anonymous identity: what is sent of both must not join them.
  func keep(_ user: AnalyticsUser?) {
    let isNew = state.withLock { state in
      guard isTaking(state) else { return false }
      let isSame = user != nil && (state.user == nil || state.user?.id == user?.id)
      guard !isSame || state.user != user else { return false }
      if !isSame { state.anonymousID = nil }
      state.user = user
      state.denials = answer?.denials ?? 0
      return true
    }
    if isNew { write() }
  }

  /// Removes the user, if it is the one that is kept, with the anonymous identity, which is
  /// returned.
  func erase(_ id: AnalyticsUser.ID) -> String? {
    let (anonymousID, isErased) = state.withLock { state -> (String?, Bool) in
      guard state.user?.id == id, !state.isClosed else { return (nil, false) }
      defer { (state.user, state.anonymousID) = (nil, nil) }
      return (state.anonymousID, true)
    }
    if isErased { write() }
    return anonymousID
  }

  /// Removes both, if they were kept before consent was denied so often.
  func forget(before denials: UInt) {
    let isForgotten = state.withLock { state in
      guard Int(bitPattern: denials &- state.denials) > 0, !state.isClosed else { return false }
      (state.user, state.anonymousID) = (nil, nil)
      state.denials = denials
      return true
    }
    if isForgotten { write() }
  }

  /// Ends the use of the folder.
  func close() {
    state.withLock { $0.isClosed = true }
    // What is being written is waited for.
    isTroubleTold.withLock { _ in }
  }

  private func isTaking(_ state: borrowing State) -> Bool {
    !state.isClosed && answer?.status != .denied
  }

  /// Writes the file as it is to be by now, or removes it; reports once that it cannot.
  ///
  /// Not durable: a loss of power costs the last change, and no event.
  private func write() {
    let trouble = isTroubleTold.withLock { isTold -> SystemError? in
      guard
        let (user, anonymousID) = state.withLock({ $0.isClosed ? nil : ($0.user, $0.anonymousID) })
      else { return nil }
      do throws(SystemError) {
        try Self.write(user, anonymousID, to: QueueNotes.path(Self.name, in: folder))
        isTold = false
        return nil
      } catch {
        defer { isTold = true }
        return isTold ? nil : error
      }
    }
    if let trouble { report(trouble) }
  }

  private static func write(
    _ user: AnalyticsUser?, _ anonymousID: String?, to path: String
  ) throws(SystemError) {
    if user == nil, anonymousID == nil { return try FileSystem.remove(path) }
    var fields = AmbientFields()
    if let user { fields["user"] = .fields(["id": user.id, "traits": user.traits]) }
    fields["anonymous_id"] = anonymousID.map { .string($0) }
    try FileSystem.replace(path, by: "\(AmbientValue.fields(fields).json)\n", isDurable: false)
  }

  private func report(_ trouble: SystemError) {
    Diagnostics.report(
      Diagnostic(
        .writeFailed, source: "EventQueue \(folder)",
        """
        the file “\(Self.name)” cannot be written (\(trouble)): whose events are holds until the \
        program ends; make room, or let this user write to the folder
        """))
  }
}
