// SPDX-License-Identifier: Apache-2.0

public import Ambient
internal import Synchronization

/// The queue of a collector: a folder with the waiting and the refused events, and the client's id.
///
/// The folder also stores the program's user. A folder belongs to one collector of one process at a
/// time. Events that wait when a program ends are sent by the next collector that uses the folder.
public final class EventQueue: Sendable {
  /// The limits of a queue, the permissions of its files, and the identities that its folder
  /// stores.
  public struct Options: Hashable, Sendable {
    /// The size of the queue in bytes.
    ///
    /// Each event takes the size of its line and 24 bytes, and up to 7 more for alignment. The size
    /// is rounded up to a power of two, at least 64 KiB and at most 2 GiB. A queue that is not
    /// empty keeps its size. An event whose line is larger than a quarter of it is lost, and
    /// counted. A full queue drops its oldest events, which count as lost. The file of refused
    /// events has the same limits, and keeps the size with which it was created.
    public var capacity: Int {
      get { journal.capacity }
      set { journal.capacity = newValue }
    }
    /// The age at which events are removed and count as lost; nil for no limit.
    ///
    /// An event from before 2020 has no age, because the clock was not set when it was tracked.
    /// Refused events of that age are also removed, and count in ``DeliveryStatus/forgotten``. If
    /// the limit is negative, events are removed before they are sent.
    public var maximumAge: Duration? {
      get { journal.maximumAge }
      set { journal.maximumAge = newValue }
    }
    /// The permissions of the files `queue`, `refused` and `client-id` if they are created,
    /// regardless of the process's umask; 0600 by default.
    ///
    /// The initializer of ``EventQueue`` throws ``CollectorError`` for permissions above 0777, or
    /// without those of the owner to read and write.
    public var permissions: UInt16 {
      get { journal.permissions }
      set { journal.permissions = newValue }
    }
    /// The client's id; nil to use the id in the folder's file `client-id`.
    ///
    /// If that file is missing, or does not contain 1 to 200 visible characters of ASCII, a new id
    /// is stored there. For a web stream of Google, the id must be two positive numbers joined by a
    /// period; otherwise, the initializer of ``GoogleAnalytics`` throws ``CollectorError``.
    public var clientID: String?
    /// Whether events of the program's user get an ``EventQueue/anonymousID``.
    ///
    /// Meant for apps, where a program has one user; on a server, all customers would share the
    /// identity.
    public var hasAnonymousID = false

    /// Creates options for a queue of 16 MiB without a limit of age, whose events get no anonymous
    /// identity.
    public init() {}

    /// The options of the queue's file, and of the file of refused events.
    package private(set) var journal = Journal.Options()
  }

  /// The absolute path of the queue's folder.
  package let folder: String
  /// The client's id, which some destinations require.
  ///
  /// Unless the options have one, it is read from the folder's file `client-id`. A new id consists
  /// of two random numbers joined by a period.
  public let clientID: String
  /// The program's user and the user's anonymous identity, stored in the folder.
  let identity: StoredUser
  /// The consent that uploads require, with its purpose; nil if uploads require none.
  let consent: (all: Consent, purpose: ConsentPurpose)?
  let journal: Journal
  let refused: RefusedEvents
  /// The consent's switch for the purpose, cached so that reading the answer is one atomic load.
  private let answer: ConsentSwitch?
  fileprivate let isTaken = Atomic<Bool>(false)
  /// The number of denials of consent that are settled: the events that were in the queue when
  /// consent was denied have been removed.
  private let settledDenials: Atomic<UInt>
  private let settling = Guarded<Void>(())

  /// Opens the folder; creates it if it is missing.
  ///
  /// If this process has forked just now, the fork may still hold the lock of a queue that was
  /// closed. The initializer then blocks the calling thread for a second at most. It also does so,
  /// and then throws, if this process has the folder open.
  ///
  /// - Parameters:
  ///   - folder: The folder of the queue.
  ///   - options: The limits of the queue's size and of the events' age, the permissions of its
  ///     files, and the identities that the folder stores.
  ///   - consent: The consent that uploads require; nil if uploads require none. While consent is
  ///     pending, events wait. When it is denied, the collector removes waiting and refused events,
  ///     the stored user and the anonymous identity, and new events are not accepted.
  ///   - purpose: The purpose of the consent.
  /// - Throws: ``CollectorError`` if the folder, or its file `queue` or `client-id`, cannot be
  ///   used, if another queue of this or another process has the folder open, or if the permissions
  ///   are invalid.
  public init(
    folder: String, _ options: Options = Options(), consent: Consent? = nil,
    for purpose: ConsentPurpose = .analytics
  ) throws(CollectorError) {
    let permissions = options.permissions
    guard permissions & ~0o777 == 0, permissions & 0o600 == 0o600 else {
      throw .invalidSetting(
        name: "permissions",
        reason: """
          0o\(String(permissions, radix: 8)) is unusable; use permissions up to 0o777 that let the \
          owner read and write, such as 0o600
          """)
    }
    do throws(JournalError) {
      journal = try Journal(folder: folder, options.journal)
    } catch {
      throw .queue(error)
    }
    let folder = FileSystem.absolute(folder)
    self.folder = folder
    // The journal holds the folder's lock by now, which also covers the file of refused events.
    refused = RefusedEvents(folder: folder, options.journal, keeper: journal)
    self.consent = consent.map { ($0, purpose) }
    answer = consent?.toggle(for: purpose)
    // If consent is denied now, the latest denial counts as unsettled. Therefore the collector that
    // claims the queue removes the waiting events.
    let denials = answer?.denials ?? 0
    settledDenials = Atomic(answer?.status == .denied ? denials &- 1 : denials)
    // This process holds the folder's lock, so no other process creates the files `identity` and
    // `client-id` while this initializer reads or creates them.
    identity = StoredUser(
      in: folder, hasAnonymous: options.hasAnonymousID, answer, keeper: journal)
    clientID =
      if let id = options.clientID { id } else { try ClientID.kept(in: folder, permissions) }
    journal.onRenewal { [weak identity, id = options.clientID == nil ? clientID : nil] in
      identity?.writeAgain()
      if let id { try? ClientID.keep(id, in: folder, permissions) }
    }
  }

  /// The anonymous identity of the program's user, whether or not the user is identified.
  ///
  /// Its first use creates it. It is nil if the queue was opened without
  /// ``Options/hasAnonymousID``, while consent is denied, or if it is first read after a shutdown.
  /// The folder keeps the identity across starts until one of these events: `Analytics.reset()`, a
  /// change to another user or to none, an erasure of the user, a denial of consent, damage to the
  /// file `identity`, or, for a queue that was opened without `hasAnonymousID`, the shutdown or
  /// release of its collector, an assignment of the user, or an erasure of any user.
  ///
  /// Events get this identity unless they have a user of their own or from `Analytics.withUser`, or
  /// were created by an initializer of `TrackedEvent`.
  public var anonymousID: String? { identity.anonymousID }

  /// Whether the queue accepts an event.
  enum Admission {
    case open, denied
    /// Consent was denied and then granted again. The events that waited when it was denied must be
    /// removed before the queue accepts an event.
    case unsettled
  }

  var admission: Admission {
    guard let answer else { return .open }
    guard let denials = answer.denialsUnlessDenied else { return .denied }
    return isUnsettled(denials) ? .unsettled : .open
  }

  /// Whether events may be sent: no consent is required, or it is granted and no events from before
  /// a denial are left. Also looks whether the consent's file is still there.
  package var isSendingAllowed: Bool {
    consent?.all.forgetIfFileIsGone()
    return answer.map { $0.status == .granted && !isUnsettled($0.denials) } ?? true
  }

  /// The events that must still be removed because consent was denied: all events before the
  /// position `end`. Removing these events settles the first `denials` denials. Returns nil if no
  /// events must be removed. Events tracked after a new grant have positions from `end` on.
  package func unsettledDenials() -> (end: Journal.Position, denials: UInt)? {
    guard let answer else { return nil }
    // The denials are read before `end`. In the opposite order, a denial between the two reads
    // would count as settled, although events that were appended after the read of `end` and before
    // this denial would not be removed. An event tracked after a new grant is not removed, even if
    // it was appended before `end` was read: `CollectorEngine.put` settles the earlier denials
    // before it appends the event, so `isUnsettled` returns false below.
    let denials = answer.denials
    let end = journal.end
    return isUnsettled(denials) || answer.status == .denied ? (end, denials) : nil
  }

  /// Whether at least one of the first `denials` denials is not settled yet.
  private func isUnsettled(_ denials: UInt) -> Bool {
    Int(bitPattern: denials &- settledDenials.load(ordering: .acquiring)) > 0
  }

  /// Marks the first `denials` denials as settled. While a denial is not settled, no event is sent.
  package func settle(_ denials: UInt) {
    settling.withLock { _ in
      // Another thread may have stored a larger number meanwhile, which must not be replaced.
      if isUnsettled(denials) { settledDenials.store(denials, ordering: .releasing) }
    }
  }
}

extension EventQueue {
  /// Claims the queue for a collector; a second claim throws.
  func take() throws(CollectorError) {
    if isTaken.exchange(true, ordering: .relaxed) { throw .queueTaken(folder: folder) }
  }

  /// Releases the folder for other collectors.
  func close() {
    journal.keepFile(isLast: true)
    identity.close()
    refused.close()
    journal.close()
  }
}
