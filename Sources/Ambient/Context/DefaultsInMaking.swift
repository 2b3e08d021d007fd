// SPDX-License-Identifier: Apache-2.0

internal import CAmbient

/// A default that is being created on this thread, linked to the default whose creation reads it.
/// The chain shows whether defaults read each other in a circle.
struct DefaultsInMaking {
  private let entry: ProcessSlot
  /// The default whose creation reads this default. The pointer stays valid, because it refers to
  /// an older frame of this thread's stack, which outlives this value.
  private let outer: UnsafePointer<DefaultsInMaking>?

  /// Creates a default. If its creation reads the default itself, directly or through other
  /// defaults, stops the program with a report that names the circle.
  ///
  /// The chain is stored per thread, because tasks that the creation starts must not inherit it.
  static func make(
    for entry: ProcessSlot, _ makeDefault: () -> ProcessSlot.Erased
  ) -> ProcessSlot.Erased {
    let outer = ambient_making_load()
    // Valid: the function that stored the pointer has an older frame on this thread's stack, and
    // removes the pointer before it returns.
    let frame = DefaultsInMaking(
      entry: entry, outer: outer?.assumingMemoryBound(to: DefaultsInMaking.self))
    frame.check()
    return withUnsafePointer(to: frame) { frame in
      ambient_making_store(frame)
      defer { ambient_making_store(outer) }
      return makeDefault()
    }
  }

  private func check() {
    var names = [entry.name]
    var frame = outer
    while let one = frame?.pointee {
      names.insert(one.entry.name, at: 0)
      if one.entry === entry { stop(names) }
      frame = one.outer
    }
  }

  private func stop(_ names: [String]) -> Never {
    fatalError(Self.text(ofCycle: names))
  }

  static func text(ofCycle names: [String]) -> String {
    """
    Ambient: defaults read each other in a cycle: \
    \(names.map { "\($0).instance" }.joined(separator: " → ")). Assign one of them at the start of \
    the program, or let its default read nothing.
    """
  }
}
