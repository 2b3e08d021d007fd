internal import Synchronization

/// Where lines go, shared by all in this process who write lines to the same pipe or terminal.
///
/// A long line takes several writes there, and what one writer leaves torn or finds full concerns the
/// others. A file takes a line in one write, so each of its writers has an outlet of its own.
final class Outlet: Sendable {
  /// Taken for each line; nil where a line is one write.
  let turn: Guarded<Void>?
  /// Whether the last line was written in part only.
  let isTorn = Atomic<Bool>(false)
  /// Whether nobody read when it was last written to.
  let isStalled = Atomic<Bool>(false)

  private let identity: FileDescriptor.Identity?

  private struct Shared {
    let outlet: Outlet
    var users: Int
  }

  /// Those in use, which it keeps alive: weak references would make each use slow.
  private static let all = Guarded<[FileDescriptor.Identity: Shared]>([:])

  private init(_ identity: FileDescriptor.Identity?) {
    self.identity = identity
    turn = identity == nil ? nil : Guarded(())
  }

  /// The outlet for what is behind the descriptor, until it is given back.
  static func take(
    for descriptor: FileDescriptor, _ kind: FileDescriptor.Kind
  ) -> Unmanaged<Outlet> {
    guard kind != .file, let identity = descriptor.identity else {
      return .passRetained(Outlet(nil))
    }
    return all.withLock { all in
      let shared = all[identity] ?? Shared(outlet: Outlet(identity), users: 0)
      all[identity] = Shared(outlet: shared.outlet, users: shared.users + 1)
      return .passRetained(shared.outlet)
    }
  }

  /// Gives back what was taken.
  static func giveBack(_ outlet: Unmanaged<Outlet>) {
    // Valid: it was retained when it was taken.
    let outlet = outlet.takeRetainedValue()
    guard let identity = outlet.identity else { return }
    all.withLock { all in
      all[identity]?.users -= 1
      if all[identity]?.users == 0 { all[identity] = nil }
    }
  }
}
