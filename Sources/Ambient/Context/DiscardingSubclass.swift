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
    Diagnostics.report(
      .discarded, source: "\(type)",
      """
      its \(things) reach the base class, which discards them. Write “override func \(method)”: \
      a method with another name or parameter is never called, and the override must not call \
      super's. If the class discards \(things) on purpose, give the override an empty body.
      """)
  }
}
