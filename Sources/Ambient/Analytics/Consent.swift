internal import Synchronization

/// What somebody has consented to, by purpose; one object for all who need to know.
///
/// ```swift
/// let consent = try Consent(path: "consent.json")
/// Analytics.instance = analytics.through(.granted(consent, for: .analytics))
/// consent.set(.granted, for: .analytics)
/// ```
///
/// Safe to use from any thread. To look is one load for those who ask again and again.
public final class Consent: Sendable {
  /// Called with what has changed.
  public typealias Observer = @Sendable (ConsentPurpose, ConsentStatus) -> Void

  private struct State {
    var switches: [ConsentPurpose: ConsentSwitch] = [:]
    /// In the order in which they began to observe.
    var observers: [(number: Int, observer: Observer)] = []
    var nextNumber = 0
    /// What observers have not been told yet, oldest first.
    var untold: [(ConsentPurpose, ConsentStatus)] = []
    /// Whether somebody is telling them.
    var isTelling = false
  }

  private let state: Guarded<State>
  private let file: ConsentFile?
  /// Held while the file is written, so that it ends with what was set last.
  private let saving = Guarded<Void>(())

  /// Consent that is kept in memory; a purpose that is not among `statuses` is pending.
  public convenience init(_ statuses: [ConsentPurpose: ConsentStatus] = [:]) {
    self.init(statuses, nil)
  }

  /// Consent that is kept in a file, and so across starts; missing folders, and the file, are made.
  ///
  /// A change stands in the file when ``set(_:for:)`` returns; the file is replaced as a whole. One
  /// that is damaged is reported to ``Diagnostics``, and what it does not say is pending. Use one
  /// object for a file: what others write to it is not seen.
  ///
  /// - Throws: ``ConsentFileError`` if the file cannot be read, or cannot be made.
  public convenience init(path: String) throws(ConsentFileError) {
    let file = try ConsentFile(path)
    self.init(try file.read(), file)
  }

  private init(_ statuses: [ConsentPurpose: ConsentStatus], _ file: ConsentFile?) {
    state = Guarded(State(switches: statuses.mapValues(ConsentSwitch.init)))
    self.file = file
  }

  /// What was answered for that purpose; pending if nothing was.
  public subscript(purpose: ConsentPurpose) -> ConsentStatus { toggle(for: purpose).status }

  /// Notes an answer. It holds at once, for every thread, before observers are told of it.
  ///
  /// A file that cannot be written is reported to ``Diagnostics``: the answer holds until the
  /// program ends. Observers are called before this returns, unless another thread is calling them:
  /// that one goes on with this change.
  public func set(_ status: ConsentStatus, for purpose: ConsentPurpose) {
    let outcome = saving.withLock { _ -> ConsentFile.Outcome? in
      let all = state.withLock { state -> [ConsentPurpose: ConsentStatus]? in
        let toggle = state.switches[purpose] ?? ConsentSwitch(.pending)
        state.switches[purpose] = toggle
        guard toggle.status != status else { return nil }
        toggle.set(status)
        state.untold.append((purpose, status))
        return state.switches.mapValues(\.status)
      }
      return all.flatMap { file?.write($0) }
    }
    if let outcome { file?.note(outcome) }
    tell()
  }

  /// Calls `observer` after each change, in the order of the changes, with no lock held.
  ///
  /// One call at a time, on a thread that has set something. It is called for as long as the
  /// consent lives, unless the observation is ended. It may set something itself, of which all are
  /// told next: observers that answer each change with another never come to an end, and hold up
  /// the thread that tells them.
  @discardableResult
  public func onChange(_ observer: @escaping Observer) -> ConsentObservation {
    let number = state.withLock { state in
      state.nextNumber += 1
      state.observers.append((state.nextNumber, observer))
      return state.nextNumber
    }
    return ConsentObservation(self, number)
  }

  /// The place where the status of a purpose stands, for those who look often.
  package func toggle(for purpose: ConsentPurpose) -> ConsentSwitch {
    state.withLock { state in
      if let known = state.switches[purpose] { return known }
      let made = ConsentSwitch(.pending)
      state.switches[purpose] = made
      return made
    }
  }

  fileprivate func end(_ number: Int) {
    state.withLock { state in state.observers.removeAll { $0.number == number } }
  }

  /// Tells observers what they have not been told, unless somebody does so.
  private func tell() {
    guard claim() else { return }
    while let (change, observers) = nextUntold() {
      for observer in observers { observer(change.0, change.1) }
    }
  }

  private func claim() -> Bool {
    state.withLock { state in
      guard !state.isTelling else { return false }
      state.isTelling = true
      return true
    }
  }

  /// The oldest change that is untold, and whom to tell; nil if there is none, which ends telling.
  private func nextUntold() -> ((ConsentPurpose, ConsentStatus), [Observer])? {
    state.withLock { state in
      guard !state.untold.isEmpty else {
        state.isTelling = false
        return nil
      }
      return (state.untold.removeFirst(), state.observers.map(\.observer))
    }
  }
}

/// Where the status of one purpose stands: one load away.
package final class ConsentSwitch: Sendable {
  /// The status in the lower two bits, and how often it was denied.
  private let word: Atomic<UInt>

  init(_ status: ConsentStatus) {
    word = Atomic((status == .denied ? 4 : 0) | UInt(status.code))
  }

  package var status: ConsentStatus {
    ConsentStatus(code: UInt8(word.load(ordering: .acquiring) & 3))
  }

  /// How often it was denied.
  package var denials: UInt { word.load(ordering: .acquiring) >> 2 }

  /// Called under the consent's lock.
  fileprivate func set(_ status: ConsentStatus) {
    let denials = denials &+ (status == .denied ? 1 : 0)
    word.store(denials << 2 | UInt(status.code), ordering: .releasing)
  }
}

/// That somebody is told of changes of ``Consent``.
public final class ConsentObservation: Sendable {
  private let number: Int
  // Not the other way round: the observation does not keep the consent alive.
  private weak let consent: Consent?

  fileprivate init(_ consent: Consent, _ number: Int) {
    self.consent = consent
    self.number = number
  }

  /// Ends it: no call begins after this has returned, but for one of a change that is being told.
  public func cancel() { consent?.end(number) }
}
