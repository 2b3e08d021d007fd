// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The strict mode: whether a setup mistake, such as a late assignment or the use of a default,
/// stops the program.
enum Strictness {
  static let isStrict = Atomic<Bool>(setting(environment) ?? false)
  private static let isChecked = Atomic<Bool>(false)

  private static var environment: String? { Environment.value("AMBIENT_STRICT") }

  static func stopIfStrict(_ text: () -> String) {
    // The environment is not checked in the initializer of `isStrict`: the check calls the
    // program's diagnostics handler, which may call this function and would deadlock in the
    // initializer.
    if !isChecked.exchange(true, ordering: .relaxed) { check(environment) }
    guard isStrict.load(ordering: .relaxed) else { return }
    fatalError("Ambient, strict mode: \(text())")
  }

  /// Reports a value of AMBIENT_STRICT that means neither yes nor no.
  static func check(_ value: String?) {
    guard let value, setting(value) == nil else { return }
    Diagnostics.report(
      .invalidSetting, source: "AMBIENT_STRICT", "“\(value)” is neither 1 nor 0; 0 is taken.")
  }

  /// The setting that the value denotes; nil if it denotes none.
  static func setting(_ value: String?) -> Bool? {
    switch value?.lowercased() {
    case "1", "true", "yes", "on": true
    case nil, "", "0", "false", "no", "off": false
    default: nil
    }
  }
}
