public import Ambient
internal import Foundation
internal import Synchronization

/// The queue of a collector: a folder with the events that wait, and who the client is.
///
/// A folder belongs to one collector of one process at a time. What waits when a program ends is
/// sent by the next one that opens the folder.
public final class EventQueue: Sendable {
  /// Where the events stand.
  public let folder: String
  /// Who sends the events, for collectors that ask: two numbers joined by a period, made by chance
  /// and kept in the folder, unless it was given.
  public let clientID: String
  /// Who the program's user is, as far as that is kept.
  let identity: QueueIdentity
  /// Who has to consent before anything is sent, and to what.
  let consent: (all: Consent, purpose: ConsentPurpose)?
  let journal: Journal
  let refused: RefusedEvents
  /// Where the answer stands, one load away.
  private let answer: ConsentSwitch?
  fileprivate let isTaken = Atomic<Bool>(false)
  /// Of how many denials what waited was removed.
  private let settledDenials: Atomic<UInt>
  private let settling = Guarded<Void>(())

  /// Opens the folder; it is made if it is missing.
  ///
  /// - Parameters:
  ///   - folder: Where the events stand.
  ///   - journal: How many bytes may wait, and for how long.
  ///   - clientID: Who sends the events; nil for what is kept in the folder as `client-id`.
  ///   - hasAnonymousID: Whether events of the program's user have an ``anonymousID``. It is for
  ///     apps, whose program has one user: on a server it would merge all customers.
  ///   - consent: What somebody has consented to. While it is pending, events wait; when it is
  ///     denied, those that wait are removed, and no others are taken. Nil for needing none.
  ///   - purpose: What has to be consented to.
  /// - Throws: ``CollectorError`` if the folder cannot be used.
  public init(
    folder: String, _ journal: Journal.Options = Journal.Options(), clientID: String? = nil,
    hasAnonymousID: Bool = false, consent: Consent? = nil, for purpose: ConsentPurpose = .analytics
  ) throws(CollectorError) {
    self.folder = folder
    do throws(JournalError) {
      self.journal = try Journal(folder: folder, journal)
    } catch {
      throw .queue(error)
    }
    // The queue's lock is taken.
    refused = RefusedEvents(folder: folder, journal)
    self.consent = consent.map { ($0, purpose) }
    answer = consent?.toggle(for: purpose)
    // The last is settled by whoever takes the queue, if it holds still.
    let denials = answer?.denials ?? 0
    settledDenials = Atomic(answer?.status == .denied ? denials &- 1 : denials)
    // The folder is ours from here on: nobody else makes the files meanwhile.
    identity = QueueIdentity(in: folder, hasAnonymous: hasAnonymousID, answer)
    if let clientID {
      self.clientID = clientID
    } else {
      self.clientID = try ClientID.kept(in: folder, journal.permissions)
    }
  }

  /// The identity that the program's user has, known or not, kept in the folder across starts until
  /// `Analytics.reset()`, another user, or a denial of consent; nil unless it was asked for.
  ///
  /// Events have it that have neither a user of their own nor one of `Analytics.withUser`.
  public var anonymousID: String? { identity.anonymousID }

  /// Whether an event is taken.
  enum Admission {
    case open, denied
    /// Behind a new grant, once what waited at the denial before it is removed.
    case unsettled
  }

  var admission: Admission {
    guard let answer else { return .open }
    if answer.status == .denied { return .denied }
    return isUnsettled(answer.denials) ? .unsettled : .open
  }

  /// Whether events may be sent: only if that was granted, and none of before a denial are there.
  package var isSendingAllowed: Bool {
    answer.map { $0.status == .granted && !isUnsettled($0.denials) } ?? true
  }

  /// Where the events end that are to be removed, since consent was denied after they were tracked,
  /// and how many denials that settles; nil if there are none. What is tracked behind a new grant
  /// stands behind that.
  package func unsettledDenials() -> (end: Journal.Position, denials: UInt)? {
    guard let answer else { return nil }
    // In this order: a denial that comes now is settled by the next call. Whoever tracks after a
    // grant settles what was denied before it first: so where the end has such an event, these
    // denials are no later than those that are settled.
    let denials = answer.denials
    let end = journal.end
    return isUnsettled(denials) || answer.status == .denied ? (end, denials) : nil
  }

  /// Whether they are later than those that are settled.
  private func isUnsettled(_ denials: UInt) -> Bool {
    Int(bitPattern: denials &- settledDenials.load(ordering: .acquiring)) > 0
  }

  /// Notes that what waited at so many denials is removed: nothing is sent before that.
  package func settle(_ denials: UInt) {
    settling.withLock { _ in
      // Another may have settled later ones meanwhile.
      if isUnsettled(denials) { settledDenials.store(denials, ordering: .releasing) }
    }
  }
}

extension EventQueue {
  /// Takes the queue for a collector.
  func take() throws(CollectorError) {
    if isTaken.exchange(true, ordering: .relaxed) { throw .queueTaken(folder: folder) }
  }

  /// Lets others open the folder.
  func close() {
    identity.close()
    refused.close()
    journal.close()
  }
}

/// The file that says who a client is.
enum ClientID {
  static func kept(in folder: String, _ permissions: UInt16) throws(CollectorError) -> String {
    let path = URL(filePath: folder).appending(path: "client-id").path
    if let text = FileSystem.text(path, limit: 4_096) {
      let known = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if !known.isEmpty, known.utf8.count <= 200, known.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) {
        return known
      }
    }
    let range = 1...UInt32(Int32.max)
    let made = "\(UInt32.random(in: range)).\(UInt32.random(in: range))"
    do throws(SystemError) {
      // As a whole: half an identity would be another one. Not durable, since to wait for the disk
      // keeps the caller; where a loss of power costs it, another is made.
      try FileSystem.replace(path, by: "\(made)\n", permissions: permissions, isDurable: false)
    } catch {
      throw .clientID(path: path)
    }
    return made
  }
}
