#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A write that fails with EAGAIN where the usual one would block, if the system has it.
///
/// The other way, O_NONBLOCK, would change the pipe for all who share it, other programs too.
enum PromptWrite {
  typealias Function = @Sendable (CInt, UnsafeRawPointer, Int) -> Int

  #if os(Linux) && _pointerBitWidth(_64)
    private typealias Pwritev2 =
      @convention(c) (CInt, UnsafePointer<iovec>?, CInt, Int, CInt) -> Int

    /// `pwritev2` with `RWF_NOWAIT`, for which the C library's module has no declarations.
    static let function: Function? = {
      guard let symbol = dlsym(nil, "pwritev2") else { return nil }
      // Valid: the manual's declaration, with 64 bits for ssize_t and off_t.
      let pwritev2 = unsafeBitCast(symbol, to: Pwritev2.self)
      return { number, start, count in
        // Valid: it is only read from.
        var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: start), iov_len: count)
        let currentPosition = -1
        let noWait: CInt = 8
        return pwritev2(number, &part, 1, currentPosition, noWait)
      }
    }()
  #else
    static let function: Function? = nil
  #endif
}
