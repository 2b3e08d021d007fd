/// The writing end of a pipe, shared by all in this process who write lines to that pipe.
///
/// The pipe is opened once more, so that a write fails when it is full. To say so of the end that we
/// were given would say it for all who have it, other programs too.
final class PipeEnd: Sendable {
  /// A long line takes several writes: no other line may come in between.
  let turn = Guarded(())
  /// The end that is ours alone; nil where the system cannot open one.
  let own: FileDescriptor?
  private let identity: FileDescriptor.Identity?

  private struct Shared {
    let end: PipeEnd
    var users: Int
  }

  /// Those in use, which it keeps alive: weak references would make each use slow.
  private static let all = Guarded<[FileDescriptor.Identity: Shared]>([:])

  private init(_ descriptor: FileDescriptor, _ identity: FileDescriptor.Identity?) {
    own = descriptor.reopenedToWriteAtOnce()
    self.identity = identity
  }

  deinit { own?.close() }

  /// The end for the pipe behind the descriptor, until it is given back.
  static func take(for descriptor: FileDescriptor) -> Unmanaged<PipeEnd> {
    guard let identity = descriptor.identity else {
      return .passRetained(PipeEnd(descriptor, nil))
    }
    return all.withLock { all in
      let shared = all[identity] ?? Shared(end: PipeEnd(descriptor, identity), users: 0)
      all[identity] = Shared(end: shared.end, users: shared.users + 1)
      return .passRetained(shared.end)
    }
  }

  /// Gives back what was taken; the last one closes it.
  static func giveBack(_ end: Unmanaged<PipeEnd>) {
    // Valid: it was retained when it was taken.
    let end = end.takeRetainedValue()
    guard let identity = end.identity else { return }
    all.withLock { all in
      all[identity]?.users -= 1
      if all[identity]?.users == 0 { all[identity] = nil }
    }
  }
}
