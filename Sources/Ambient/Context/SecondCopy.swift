internal import CAmbient
internal import Synchronization

/// Two copies of this package in one process: a program and a dynamic library that it uses may each
/// have one, and what is assigned in one is not seen in the other.
enum SecondCopy {
  private static let isChecked = Atomic<Bool>(false)

  /// Tells once, from the copy that was loaded later, whether there is an earlier one.
  static func reportOnce() {
    guard !isChecked.exchange(true, ordering: .relaxed) else { return }
    let size = 4_096
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2 * size) { paths in
      // Valid: each half is written with its end, and read before the block ends.
      guard let earlier = paths.baseAddress,
        ambient_find_earlier_copy(earlier, earlier + size, size)
      else { return }
      Diagnostics.report(
        Diagnostic(
          .secondCopy, source: "second copy",
          """
          there are two copies of Ambient in this process, in \(name(earlier)) and in \
          \(name(earlier + size)). Each has instances of its own: what is assigned in one is not \
          seen in the other. Link a single dynamic library that has it, or assign in both.
          """))
    }
  }

  private static func name(_ path: UnsafePointer<CChar>) -> String {
    path.pointee == 0 ? "the program" : String(cString: path)
  }
}
