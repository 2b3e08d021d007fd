// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation
internal import Synchronization

/// The program's user, kept across starts in the file `identity` of a queue's folder.
///
/// The file contains the identified user and the anonymous identity as JSON, with the field names
/// of a queued event. A denial of consent removes the user and the identity, and nothing is stored
/// while consent is denied. The anonymous identity is created at its first use. Safe to use from
/// any thread.
final class StoredUser: Sendable {
  private struct State {
    var user: AnalyticsUser? { didSet { isUnwritten = true } }
    var anonymousID: String? { didSet { isUnwritten = true } }
    /// Whether the file is out of date.
    var isUnwritten = false
    /// The number of denials of consent when `user` or `anonymousID` was last read from the file,
    /// stored or forgotten. `forget(before:)` uses it to recognize values that are older than a
    /// denial.
    var denials: UInt
    /// Whether `close()` was called. The queue then releases the folder to other processes.
    var isClosed = false
  }

  private static var name: String { "identity" }
  /// The maximum size of the file: four times the size of the largest event that a queue of the
  /// default capacity accepts. If such a queue accepts a user's events, the user fits in.
  private static var longest: Int { 16 << 20 }

  /// Whether events get an anonymous identity.
  let hasAnonymous: Bool
  private let folder: String
  /// The queue. While its file is not in the folder, nothing is written there.
  private let keeper: Journal
  private let answer: ConsentSwitch?
  private let state: Guarded<State>
  /// Whether `state.user` is not nil.
  private let isIdentified: Atomic<Bool>
  /// Whether a failed write was reported since the last success. Its lock is held while the file is
  /// written, and is separate from the lock of `state`, so that a slow disk delays no event.
  private let writing = Guarded(false)

  /// Reads the file, or removes it if consent is denied.
  init(in folder: String, hasAnonymous: Bool, _ answer: ConsentSwitch?, keeper: Journal) {
    self.folder = folder
    self.keeper = keeper
    self.hasAnonymous = hasAnonymous
    self.answer = answer
    // A process that was killed while it wrote the file may have left the user's data in a
    // temporary file. A denial of consent would not remove that temporary file.
    try? FileSystem.removeHalves(of: FileSystem.path(Self.name, in: folder))
    var state = State(denials: answer?.denials ?? 0)
    if answer?.status == .denied {
      QueueFiles.remove(Self.name, in: folder)
    } else if let kept = Self.read(in: folder) {
      state.user = kept.user
      state.anonymousID = hasAnonymous ? kept.anonymousID : nil
      // Without `hasAnonymous`, the next write removes the anonymous identity from the file, so
      // that a later start with `hasAnonymous` does not link its events to those of earlier starts.
      state.isUnwritten = state.anonymousID != kept.anonymousID
    }
    isIdentified = Atomic(state.user != nil)
    self.state = Guarded(state)
  }

  private static func read(
    in folder: String
  ) -> (user: AnalyticsUser?, anonymousID: String?)? {
    let path = FileSystem.path(name, in: folder)
    guard FileSystem.exists(path) else { return nil }
    // A file that cannot be read is removed. Otherwise, `erase(_:)` could not remove its user
    // later, because the user's id is unknown.
    let text = (try? FileSystem.text(path, limit: longest)) ?? nil
    if text == "" {
      // An earlier process emptied the file, because it could neither replace nor remove it.
      QueueFiles.remove(name, in: folder)
      return nil
    }
    if let text, let kept = TrackedEvent.owner(inJSON: Array(text.utf8)),
      kept.anonymousID.map({ UUID(uuidString: $0) != nil }) ?? true
    {
      return kept
    }
    Diagnostics.report(.damaged, source: "EventQueue \(folder)", unreadable)
    QueueFiles.remove(name, in: folder)
    return nil
  }

  /// The identified user; nil if there is none. In that case the lock is not taken: each event of a
  /// program that assigned no user asks for the stored one.
  var user: AnalyticsUser? {
    isIdentified.load(ordering: .relaxed) ? state.withLock { $0.user } : nil
  }

  /// Changes the state under its lock, and updates `isIdentified`. After the initializer, each
  /// change of `state.user` goes through this method.
  private func changeUser<R>(_ body: (inout State) -> sending R) -> sending R {
    state.withLock { state in
      defer { isIdentified.store(state.user != nil, ordering: .relaxed) }
      return body(&state)
    }
  }

  /// The anonymous identity, created at its first use. Nil if `hasAnonymous` is false, if consent
  /// is denied, or if the first use comes after `close()`.
  var anonymousID: String? {
    guard hasAnonymous else { return nil }
    let (id, isNew) = state.withLock { state -> (String?, Bool) in
      guard let denials = denialsUnlessDenied else { return (nil, false) }
      if let id = state.anonymousID { return (id, false) }
      if state.isClosed { return (nil, false) }
      // The identity is a random UUID (version 4), so that it reveals neither the machine nor the
      // time of its creation.
      let id = UUID().uuidString.lowercased()
      state.anonymousID = id
      state.denials = denials
      return (id, true)
    }
    if isNew { write() }
    return id
  }

  /// Stores the user; nil removes the stored user. A change to another user, or to none, discards
  /// the anonymous identity, which would otherwise link the events of two users.
  func keep(_ user: AnalyticsUser?) {
    changeUser { state in
      guard let denials = denialsUnlessDenied, !state.isClosed else { return }
      let isSame = user != nil && (state.user == nil || state.user?.id == user?.id)
      guard !isSame || state.user != user else { return }
      if !isSame { state.anonymousID = nil }
      state.user = user
      state.denials = denials
    }
    // The call is made even if nothing was changed now, because it also repeats the write of an
    // earlier change if that write failed.
    write()
  }

  /// Removes the stored user and the anonymous identity if the user has this id; returns the
  /// removed anonymous identity.
  func erase(_ id: AnalyticsUser.ID) -> String? {
    let anonymousID = changeUser { state -> String? in
      guard state.user?.id == id, !state.isClosed else { return nil }
      defer { (state.user, state.anonymousID) = (nil, nil) }
      return state.anonymousID
    }
    // The call is made even if nothing was erased now, because it also repeats the write of an
    // earlier erasure if that write failed.
    write()
    return anonymousID
  }

  /// Removes the user and the anonymous identity if they were stored before denial number
  /// `denials`.
  func forget(before denials: UInt) {
    let isForgotten = changeUser { state in
      guard Int(bitPattern: denials &- state.denials) > 0, !state.isClosed else { return false }
      (state.user, state.anonymousID) = (nil, nil)
      state.denials = denials
      return true
    }
    if isForgotten { write() }
  }

  /// Writes the file of a folder that was made again.
  func writeAgain() {
    state.withLock { $0.isUnwritten = true }
    write()
  }

  /// Writes the changes that other threads have not written yet, and then stops writing to the
  /// folder.
  func close() {
    state.withLock { $0.isClosed = true }
    // This call takes the lock `writing`, and so waits for a write that is under way.
    write(isLast: true)
  }

  /// The number of denials so far; nil while consent is denied.
  private var denialsUnlessDenied: UInt? {
    answer == nil ? 0 : answer?.denialsUnlessDenied
  }

  /// Writes the newest state to the file, unless the file is up to date. Without a user and an
  /// anonymous identity, the file is removed. Reports a failure unless the previous write failed,
  /// too.
  ///
  /// The write is not durable. A loss of power loses the last change of the file, but no event.
  private func write(isLast: Bool = false) {
    let trouble = writing.withLock { isTroubleTold -> SystemError? in
      guard keeper.isInPlace else { return nil }
      let newest = state.withLock { state -> (AnalyticsUser?, String?)? in
        guard state.isUnwritten, isLast || !state.isClosed else { return nil }
        state.isUnwritten = false
        // Consent may have been denied after the change, for example if an earlier write of the
        // change failed. If consent is denied, the file is removed instead of written.
        return denialsUnlessDenied == nil ? (nil, nil) : (state.user, state.anonymousID)
      }
      guard let (user, anonymousID) = newest else { return nil }
      let path = FileSystem.path(Self.name, in: folder)
      do throws(SystemError) {
        try Self.write(user, anonymousID, to: path)
        isTroubleTold = false
        return nil
      } catch {
        // The file is emptied so that the next start does not read a former user, who may have
        // denied consent.
        Self.empty(path)
        // A failed last write is never repeated, because another process may use the folder after
        // `close()`.
        if !isLast { state.withLock { $0.isUnwritten = true } }
        return isTroubleTold.turnOn() ? error : nil
      }
    }
    guard let trouble else { return }
    Diagnostics.report(.writeFailed, source: "EventQueue \(folder)", Self.unwritten(trouble))
  }

  /// The report of a file that cannot be read.
  static var unreadable: String {
    """
    cannot read the file “\(name)”, so the stored user is forgotten; identify the user again. \
    Until then, events have no user; if anonymous identities are enabled, a new one begins
    """
  }

  /// The report of a file that cannot be written.
  static func unwritten(_ trouble: SystemError) -> String {
    """
    cannot write the file “\(name)” (\(trouble)), so the user is remembered only until the program \
    ends; free disk space, or let this user write to the folder
    """
  }

  /// Empties a file that this process's user owns, without replacing it, for a folder in which
  /// files can be neither removed nor replaced. A failure is ignored.
  private static func empty(_ path: String) {
    guard let file = try? FileDescriptor.existing(path, toWrite: true) else { return }
    defer { file.close() }
    if file.isOursAlone { file.truncate(to: 0) }
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
}
