// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// Reports ignored or doubtful variables of the environment, and a limited number of warnings of
/// the server. It never reports the same one twice.
final class OTLPRemarks: Sendable {
  private struct State {
    var faults: [String]
    var told: Set<String> = []
  }

  private let name: String
  private let state: Guarded<State>

  /// The maximum number of reported warnings.
  private static var most: Int { 16 }

  init(_ name: String, _ settings: OTLPSettings) {
    self.name = name
    state = Guarded(State(faults: settings.faults))
  }

  func reportFaults() {
    let faults = state.withLock { state in
      defer { state.faults = [] }
      return state.faults
    }
    for fault in faults {
      Diagnostics.report(.invalidSetting, source: name, fault)
    }
  }

  func report(_ message: String) {
    guard state.withLock({ $0.told.insert(message, upTo: Self.most) }) else { return }
    Diagnostics.report(
      .warned, source: name, "the server accepted the whole request, with a warning: \(message)")
  }
}
