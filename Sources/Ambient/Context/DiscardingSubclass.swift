// SPDX-License-Identifier: Apache-2.0

/// Reports a subclass of `Log` or `Analytics` if its records or events reach the base class, which
/// discards them. This happens, for example, if the method that should override the method of the
/// base class has the wrong name.
enum DiscardingSubclass {
  private static let told = Guarded<Set<ObjectIdentifier>>([])

  /// Reports the class, once.
  @inline(never)
  static func report(
    by type: any Any.Type, _ things: String, overriding method: String
  ) {
    guard told.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
    Diagnostics.report(.discarded, source: "\(type)", text(things, method))
  }

  static func text(_ things: String, _ method: String) -> String {
    """
    its \(things) reach the base class, which discards them. Write “override func \(method)” with \
    exactly this name and parameter, and without a call of super; leave it empty to discard \
    \(things) on purpose.
    """
  }
}
