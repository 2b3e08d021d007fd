public import Ambient
internal import Foundation
internal import Synchronization

/// The queue of a collector: a folder with the waiting events, and the client's id.
///
/// A folder belongs to one collector of one process at a time. Events that wait when a program ends
/// are sent by the next one that opens the folder.
public final class EventQueue: Sendable {
  /// The folder of the queue.
  public let folder: String
  /// The client's id, for collectors that need one: two random numbers joined by a period. It is
  /// kept in the folder, unless the program gave one.
  public let clientID: String
  /// The program's user and its anonymous identity, kept in the folder.
  let identity: QueueIdentity
  /// The consent that uploads need, and its purpose; nil if they need none.
  let consent: (all: Consent, purpose: ConsentPurpose)?
  let journal: Journal
  let refused: RefusedEvents
  /// The answer for that purpose, cached so that reading it is one load.
  private let answer: ConsentSwitch?
  fileprivate let isTaken = Atomic<Bool>(false)
  /// The number of denials of consent after which the waiting events were removed.
  private let settledDenials: Atomic<UInt>
  private let settling = Guarded<Void>(())

  /// Opens the folder; creates it if it is missing.
  ///
  /// - Parameters:
  ///   - folder: The folder of the queue.
  ///   - journal: The limits of the queue's size and of the events' age.
  ///   - clientID: The client's id; nil for the one in the folder's file `client-id`.
  ///   - hasAnonymousID: Whether events of the program's user get an ``anonymousID``. It is for
  ///     apps, whose program has one user: on a server it would merge all customers.
  ///   - consent: The consent that uploads need; nil if they need none. While it is pending, events
  ///     wait; when it is denied, waiting events are removed, and no others are taken.
  ///   - purpose: The purpose of the consent.
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
    // The journal has taken the lock of the folder, which covers this file.
    refused = RefusedEvents(folder: folder, journal)
    self.consent = consent.map { ($0, purpose) }
    answer = consent?.toggle(for: purpose)
    // If consent is denied now, the collector that takes the queue removes the events of that
    // denial.
    let denials = answer?.denials ?? 0
    settledDenials = Atomic(answer?.status == .denied ? denials &- 1 : denials)
    // The folder is locked from here on: no other process creates these files meanwhile.
    identity = QueueIdentity(in: folder, hasAnonymous: hasAnonymousID, answer)
    if let clientID {
      self.clientID = clientID
    } else {
      self.clientID = try ClientID.kept(in: folder, journal.permissions)
    }
  }

  /// The anonymous identity of the program's user, known or not. The folder keeps it across starts
  /// until `Analytics.reset()`, another user, or a denial of consent; nil unless it was asked for.
  ///
  /// Events get it unless they have a user of their own, or one of `Analytics.withUser`.
  public var anonymousID: String? { identity.anonymousID }

  /// Whether the queue takes an event.
  enum Admission {
    case open, denied
    /// Consent was granted again; the events that waited at the denial must be removed first.
    case unsettled
  }

  var admission: Admission {
    guard let answer else { return .open }
    guard let denials = answer.denialsUnlessDenied else { return .denied }
    return isUnsettled(denials) ? .unsettled : .open
  }

  /// Whether events may be sent: consent is granted, and no events from before a denial are left.
  package var isSendingAllowed: Bool {
    answer.map { $0.status == .granted && !isUnsettled($0.denials) } ?? true
  }

  /// The end of the events that a denial of consent removes, and the number of denials that
  /// removing them settles; nil if there are none. Events tracked after a new grant lie behind that
  /// end.
  package func unsettledDenials() -> (end: Journal.Position, denials: UInt)? {
    guard let answer else { return nil }
    // Reads the denials before the end, so that a later denial is settled by the next call.
    // Tracking after a new grant first settles the denials before it: if the end already includes
    // such an event, these denials are settled, and nothing is removed.
    let denials = answer.denials
    let end = journal.end
    return isUnsettled(denials) || answer.status == .denied ? (end, denials) : nil
  }

  /// Whether some of these denials are not settled yet.
  private func isUnsettled(_ denials: UInt) -> Bool {
    Int(bitPattern: denials &- settledDenials.load(ordering: .acquiring)) > 0
  }

  /// Marks the events of that many denials as removed; until then nothing is sent.
  package func settle(_ denials: UInt) {
    settling.withLock { _ in
      // Another thread may have settled later denials meanwhile.
      if isUnsettled(denials) { settledDenials.store(denials, ordering: .releasing) }
    }
  }
}

extension EventQueue {
  /// Takes the queue for a collector; it can be taken once.
  func take() throws(CollectorError) {
    if isTaken.exchange(true, ordering: .relaxed) { throw .queueTaken(folder: folder) }
  }

  /// Releases the folder for other collectors.
  func close() {
    identity.close()
    refused.close()
    journal.close()
  }
}

/// The file `client-id` with the client's id.
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
      // Replaced as a whole: half an id would be another client. Not durable, since waiting for the
      // disk would delay the caller; after a loss of power a new id is made.
      try FileSystem.replace(path, by: "\(made)\n", permissions: permissions, isDurable: false)
    } catch {
      throw .clientID(path: path)
    }
    return made
  }
}
