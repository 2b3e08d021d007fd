public import Synchronization

/// A service that was assigned somewhere, and what a reader must know before it uses it.
///
/// What the usual read needs is visible to the modules that declare contexts, so that the compiler
/// makes two loads of it there: a read through generic code takes three times as long.
@usableFromInline
final class Installed<Service: Sendable>: Sendable {
  /// A scope may bind this context: look there first.
  static var scoped: UInt8 { 1 }
  /// Nobody has read the process's instance yet: note who does.
  static var unread: UInt8 { 2 }

  @usableFromInline let service: Service
  @usableFromInline let state: Atomic<UInt8>

  init(_ service: Service, state: UInt8 = 0) {
    self.service = service
    self.state = Atomic(state)
  }

  /// Whether a reader may use the service without another look.
  ///
  /// Relaxed is enough: whoever is in a scope was started by whoever set the bit.
  @inlinable @inline(__always)
  var isPlain: Bool { state.load(ordering: .relaxed) == 0 }

  var isUnread: Bool { state.load(ordering: .relaxed) & Self.unread != 0 }

  func mark(_ bit: UInt8) { state.bitwiseOr(bit, ordering: .relaxed) }

  func clear(_ bit: UInt8) { state.bitwiseAnd(~bit, ordering: .relaxed) }
}
