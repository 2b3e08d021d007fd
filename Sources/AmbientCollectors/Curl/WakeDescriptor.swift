// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  internal import Ambient
  internal import CCurl
  internal import Foundation

  /// An eventfd: a counter of the system that a thread can wait for together with sockets.
  ///
  /// All eventfds have one device and inode. So if other code closes the descriptor, and another
  /// client's eventfd gets its number, this owner takes that one for its own.
  final class WakeDescriptor: Sendable {
    private let event: OwnedDescriptor

    init() throws(SystemError) {
      let number = ambient_event_open()
      guard number >= 0 else { throw SystemError(number: errno) }
      event = OwnedDescriptor(FileDescriptor(number: number))
    }

    var number: CInt { event.unchecked.number }

    /// Ends the current or the next wait for the descriptor. Returns false if the program has
    /// closed the descriptor, as a daemon that closes all descriptors does.
    func ring() -> Bool { event.checked.map { ambient_event_ring($0.number) } ?? false }

    /// Resets the eventfd's counter, so that the next wait does not end at once. Returns false if
    /// the program has closed the descriptor.
    func silence() -> Bool { event.checked.map { ambient_event_silence($0.number) } ?? false }
  }
#endif
