// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A user's consent, by purpose; one object shared by all services that need it.
///
/// ```swift
/// let consent = try Consent(path: "consent.json")
/// Analytics.instance = analytics.through(.granted(consent, for: .analytics))
/// consent.set(.granted, for: .analytics)
/// ```
///
/// The object can be used from any thread. The package's analytics read a status with one atomic
/// load.
public final class Consent: Sendable {
  private typealias Observer = @Sendable (ConsentPurpose, ConsentStatus) -> Void

  private struct State {
    var switches: [ConsentPurpose: ConsentSwitch] = [:]
    /// The observers, in the order of their registration.
    var observers: [(number: Int, observer: Observer)] = []
    var nextNumber = 0
    /// The changes that were not passed to observers yet, oldest first.
    var untold: [(ConsentPurpose, ConsentStatus)] = []
    /// Whether a thread is calling the observers.
    var isTelling = false
  }

  private struct Saving {
    /// Whether the last write failed, so that the file lacks an answer.
    var hasFailed = false
    /// Whether the file was found missing, and was not written since.
    var isFileGone = false
  }

  private let state: Guarded<State>
  private let file: ConsentFile?
  /// The lock that is held from the change of an answer until the file is written, so that the last
  /// write has the latest answers.
  private let saving = Guarded(Saving())

  /// Creates consent that is stored only in memory.
  ///
  /// A purpose that is not in `statuses` is pending.
  ///
  /// - Parameter statuses: The answers that are known at the start.
  public convenience init(_ statuses: [ConsentPurpose: ConsentStatus] = [:]) {
    self.init(statuses, nil)
  }

  /// Creates consent that is stored in a file, so that it survives restarts of the program.
  ///
  /// The file and its folders are created if they are missing. ``set(_:for:)`` replaces the file as
  /// a whole before it returns. A damaged file, or one above 64 KiB, is reported to
  /// ``Diagnostics``; purposes that cannot be read from the file are pending. Use one object per
  /// file, because an object does not see changes that other objects make to the file.
  ///
  /// - Parameter path: The path of the file that stores the answers; missing folders are created.
  /// - Throws: ``FileOpenError`` if the file cannot be read or created.
  public convenience init(path: String) throws(FileOpenError) {
    let file = try ConsentFile(path)
    self.init(try file.read(), file)
  }

  private init(_ statuses: [ConsentPurpose: ConsentStatus], _ file: ConsentFile?) {
    state = Guarded(State(switches: statuses.mapValues(ConsentSwitch.init)))
    self.file = file
  }

  /// The answer for that purpose; pending if there is none.
  ///
  /// - Parameter purpose: The purpose that the user was asked about.
  public subscript(purpose: ConsentPurpose) -> ConsentStatus { toggle(for: purpose).status }

  /// Stores an answer, which takes effect on every thread at once, before observers are called.
  ///
  /// If the file cannot be written, the failure is reported to ``Diagnostics``, and the answer
  /// stays in effect until the program ends. The next call of this method writes all answers again,
  /// even if it changes no answer. If the file was removed while the program runs, all other grants
  /// become pending, as they are at the next start, and this is reported, too.
  ///
  /// Observers are usually called before this method returns. If another thread is already calling
  /// them, or if an observer makes this call, they get this change later, after the earlier
  /// changes. If the answer is the same as before, they are not called for it.
  ///
  /// - Parameters:
  ///   - status: The user's answer.
  ///   - purpose: The purpose that the user was asked about.
  public func set(_ status: ConsentStatus, for purpose: ConsentPurpose) {
    let (outcome, withdrawn) = saving.withLock { saving -> (ConsentFile.Outcome?, Int) in
      let withdrawn = withdrawIfFileIsGone(&saving, except: purpose)
      let all = state.withLock { state -> [ConsentPurpose: ConsentStatus]? in
        let toggle = state.switches[purpose] ?? ConsentSwitch(.pending)
        state.switches[purpose] = toggle
        if toggle.status != status {
          toggle.set(status)
          state.untold.append((purpose, status))
        } else if !saving.hasFailed, !saving.isFileGone {
          return nil
        }
        return state.switches.mapValues(\.status)
      }
      let outcome = all.flatMap { file?.write($0) }
      if let outcome {
        saving.hasFailed = outcome.error != nil
        if outcome.error == nil { saving.isFileGone = false }
      }
      return (outcome, withdrawn)
    }
    file?.note(withdrawn: withdrawn)
    if let outcome { file?.note(outcome) }
    tell()
  }

  /// If the file was removed while the program runs, makes all grants pending, as they are at the
  /// next start, and reports this once.
  package func forgetIfFileIsGone() {
    guard let file else { return }
    let withdrawn = saving.withLock { withdrawIfFileIsGone(&$0, except: nil) }
    file.note(withdrawn: withdrawn)
    if withdrawn > 0 { tell() }
  }

  /// Makes grants pending when the file is found missing for the first time since it was written;
  /// returns their number. Denials stay.
  private func withdrawIfFileIsGone(_ saving: inout Saving, except purpose: ConsentPurpose?) -> Int
  {
    guard let file, !saving.isFileGone, file.isMissing else { return 0 }
    saving.isFileGone = true
    return state.withLock { state in
      let granted = state.switches.filter { $0.key != purpose && $0.value.status == .granted }
      for (purpose, toggle) in granted {
        toggle.set(.pending)
        state.untold.append((purpose, .pending))
      }
      return granted.count
    }
  }

  /// Calls `observer` after each change, in the order of the changes, with no lock held.
  ///
  /// Calls come one at a time, on a thread that has set an answer or found that the file is gone,
  /// until the observation is cancelled or the consent is freed. An observation that is not kept
  /// continues. An observer may set answers itself; the observers are then called with these
  /// changes, too. Observers that change an answer at each call are called without end, and block
  /// the thread that calls them.
  ///
  /// - Parameter observer: Called with the purpose and its new status after each change.
  @discardableResult
  public func onChange(
    _ observer: @escaping @Sendable (ConsentPurpose, ConsentStatus) -> Void
  ) -> ConsentObservation {
    let number = state.withLock { state in
      state.nextNumber += 1
      state.observers.append((state.nextNumber, observer))
      return state.nextNumber
    }
    return ConsentObservation(self, number)
  }

  /// Returns the switch of a purpose, which stores the status in one atomic word, for services that
  /// read the status often.
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

  /// Calls the observers with the pending changes, unless another thread is doing so.
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

  /// Removes the oldest pending change, and returns it with the observers. If no change is pending,
  /// returns nil and clears `isTelling`.
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

/// The status of one purpose, read with one atomic load.
package final class ConsentSwitch: Sendable {
  /// The status in the lower two bits, and the number of denials in the bits above.
  private let word: Atomic<UInt>

  init(_ status: ConsentStatus) {
    word = Atomic((status == .denied ? 4 : 0) | UInt(status.code))
  }

  package var status: ConsentStatus {
    ConsentStatus(code: UInt8(word.load(ordering: .acquiring) & 3))
  }

  /// The number of denials so far.
  package var denials: UInt { word.load(ordering: .acquiring) >> 2 }

  /// The number of denials so far; nil while consent is denied. Status and number are read with one
  /// load, so that no denial can occur between two reads.
  package var denialsUnlessDenied: UInt? {
    let word = word.load(ordering: .acquiring)
    return ConsentStatus(code: UInt8(word & 3)) == .denied ? nil : word >> 2
  }

  /// Sets the status. The caller must hold the consent's lock.
  fileprivate func set(_ status: ConsentStatus) {
    let denials = denials &+ (status == .denied ? 1 : 0)
    word.store(denials << 2 | UInt(status.code), ordering: .releasing)
  }
}

/// A registration of an observer of ``Consent``.
public final class ConsentObservation: Sendable {
  private let number: Int
  // Weak, so that an observation does not keep the consent alive.
  private weak let consent: Consent?

  fileprivate init(_ consent: Consent, _ number: Int) {
    self.consent = consent
    self.number = number
  }

  /// Ends the registration.
  ///
  /// After this returns, the observer is called for no further changes; only a change that is being
  /// passed to the observers at that moment may still reach it.
  public func cancel() { consent?.end(number) }
}

/// A purpose that a user may consent to: ``analytics``, for example, or one of your own.
///
/// ```swift
/// extension ConsentPurpose { static let research: ConsentPurpose = "research" }
/// ```
public struct ConsentPurpose: _Nonisolated, RawRepresentable, Hashable, Sendable,
  ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name, which is the purpose's key in a consent file.
  public let rawValue: String

  /// Measuring how the program is used.
  public static let analytics: ConsentPurpose = "analytics"
  /// Showing advertisements, and measuring them.
  public static let advertising: ConsentPurpose = "advertising"
  /// Adapting content to the user.
  public static let personalization: ConsentPurpose = "personalization"

  /// The purpose of that name.
  ///
  /// - Parameter rawValue: The purpose's key in a consent file.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The purpose of that name.
  ///
  /// - Parameter name: The purpose's key in a consent file.
  public init(stringLiteral name: String) { self.init(rawValue: name) }

  /// The name.
  public var description: String { rawValue }
}

/// A user's answer to a request for consent.
public enum ConsentStatus: String, Hashable, Sendable, CaseIterable {
  /// The user has not answered yet.
  ///
  /// Services that follow the consent hold events if they can store them, and send none.
  case pending
  /// The user denied consent.
  ///
  /// Services that follow the consent drop new events, and remove the events that they stored.
  case denied
  /// The user granted consent, so services send events.
  case granted

  /// The status as a number of two bits, which ``ConsentSwitch`` stores in its atomic word.
  var code: UInt8 {
    switch self {
    case .pending: 0
    case .denied: 1
    case .granted: 2
    }
  }

  init(code: UInt8) {
    switch code {
    case 1: self = .denied
    case 2: self = .granted
    default: self = .pending
    }
  }
}
