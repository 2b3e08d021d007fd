#if !canImport(Darwin)
  internal import Ambient
  internal import CCurl
  internal import Foundation
  internal import Synchronization

  /// An eventfd: a counter of the system that a thread can wait for together with sockets.
  final class WakeDescriptor: Sendable {
    let number: CInt

    init() throws(SystemError) {
      number = ambient_event_open()
      guard number >= 0 else { throw SystemError(number: errno) }
    }

    /// Whether the program was found to have closed the descriptor. If so, `deinit` must not close
    /// the number, which may belong to another file by then.
    private let isGone = Atomic<Bool>(false)

    deinit { if !isGone.load(ordering: .relaxed) { close(number) } }

    /// Ends the current or the next wait for the descriptor. Returns false if the program has
    /// closed the descriptor, as a daemon that closes all descriptors does.
    func ring() -> Bool { isThere(ambient_event_ring(number)) }

    /// Resets the eventfd's counter, so that the next wait does not end at once. Returns false if
    /// the program has closed the descriptor.
    func silence() -> Bool { isThere(ambient_event_silence(number)) }

    private func isThere(_ succeeds: Bool) -> Bool {
      if !succeeds { isGone.store(true, ordering: .relaxed) }
      return succeeds
    }
  }
#endif
