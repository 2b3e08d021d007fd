import Synchronization

/// The process's side of one context: its instances, and who read and set them.
final class ProcessEntry<Service: Sendable>: ContextEntry {
  private struct State {
    /// Every instance, newest last. A replaced one stays: a call may be under way on it, and
    /// reachable memory is not a leak.
    var kept: [Installed<Service>] = []
    var scoped = false
    var firstReader: CallSite?
    var reportedLate = false
  }

  let name: String
  private let defaultIsMistake: Bool
  private let inForce: InForce<Service>?
  private let state = Guarded(State())

  init(name: StaticString, defaultIsMistake: Bool, _ inForce: InForce<Service>?) {
    self.name = name.description
    self.defaultIsMistake = defaultIsMistake
    self.inForce = inForce
  }

  var services: [any Sendable] { state.withLock { $0.kept.map(\.service) } }

  func noteScope() {
    state.withLock { state in
      guard !state.scoped else { return }
      state.scoped = true
      state.kept.last?.mark(Installed<Service>.scoped)
    }
  }

  /// The process's instance; the default is installed, and the first reader noted, if need be.
  func read(_ word: borrowing Atomic<UInt>, _ makeDefault: () -> Service) -> Installed<Service> {
    if let installed = state.withLock({ $0.kept.last }) {
      if installed.isUnread { noteReader(of: installed) }
      return installed
    }
    let reader = CallSite.capture()
    if defaultIsMistake {
      Strictness.stopIfStrict {
        "\(name).instance: read before it was set.\n\(reader.line("read"))"
      }
    }
    let made = makeDefault()
    inForce?(made, 1)
    let (installed, isFirst) = state.withLock { state in
      if let installed = state.kept.last { return (installed, false) }
      if state.firstReader == nil { state.firstReader = reader }
      let installed = Installed(made, state: state.scoped ? Installed<Service>.scoped : 0)
      publish(installed, in: &state, word)
      return (installed, true)
    }
    inForce?(isFirst ? nil : made, -1)
    return installed
  }

  func assign(_ service: Service, _ word: borrowing Atomic<UInt>) {
    inForce?(service, 1)
    let (replaced, reader) = state.withLock { state in
      let replaced = state.kept.last
      var bits: UInt8 = state.scoped ? Installed<Service>.scoped : 0
      if state.firstReader == nil { bits |= Installed<Service>.unread }
      publish(Installed(service, state: bits), in: &state, word)
      let reader = state.reportedLate ? nil : state.firstReader
      if reader != nil { state.reportedLate = true }
      return (replaced, reader)
    }
    inForce?(replaced?.service, -1)
    (replaced?.service as? any AmbientService)?.flush()
    if let reader { reportLate(reader: reader) }
  }

  private func noteReader(of installed: Installed<Service>) {
    let reader = CallSite.capture()
    state.withLock { state in
      if state.firstReader == nil { state.firstReader = reader }
      installed.clear(Installed<Service>.unread)
    }
  }

  private func reportLate(reader: CallSite) {
    let text = """
      set after it had been read; whoever read it before has used another instance.
      \(reader.line("first read"))
      \(CallSite.capture().line("set"))
      \(advice)
      """
    let diagnostic = Diagnostic(.lateAssignment, source: "\(name).instance", text)
    Strictness.stopIfStrict { diagnostic.description }
    Diagnostics.report(diagnostic)
  }

  private var advice: String {
    Environment.isTesting
      ? """
      A test that assigns needs contexts of its own: give it, or its suite, the trait \
      .isolatedAmbients, or one that sets a time, of AmbientTesting.
      """
      : "Set it at the start of the program, before its first use, or bind it in a scope."
  }

  /// Must be called under the lock, so that the word and the newest instance agree.
  private func publish(
    _ installed: Installed<Service>, in state: inout State, _ word: borrowing Atomic<UInt>
  ) {
    state.kept.append(installed)
    word.store(
      UInt(bitPattern: Unmanaged.passUnretained(installed).toOpaque()), ordering: .releasing)
  }
}
