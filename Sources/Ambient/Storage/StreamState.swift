internal import Synchronization

/// The state of output to a pipe, a terminal or a file. All writers of this process to the same
/// pipe or terminal share one `StreamState`; each writer to a file or a device has a separate one.
///
/// A long line takes several writes to a pipe, so the writers take turns.
final class StreamState: Sendable {
  /// The lock that a writer holds while it writes a line to a shared stream.
  let turn = Guarded(())
  /// Whether the last line was written only in part.
  let isTorn = Atomic<Bool>(false)
  /// Whether the last write ended because no reader took the line in time.
  let isStalled = Atomic<Bool>(false)

  /// The identity of a shared stream; nil for a file or a device, or if the identity cannot be
  /// read. Writers then take no turns.
  private let identity: FileDescriptor.Identity?

  private struct Shared {
    let stream: StreamState
    var users: Int
  }

  /// The shared streams in use. The table keeps them alive, since weak references would make each
  /// use slow.
  private static let all = Guarded<[FileDescriptor.Identity: Shared]>([:])

  private init(_ identity: FileDescriptor.Identity?) { self.identity = identity }

  /// Whether writers must take turns, because a line may take several writes to a pipe or a
  /// terminal. The result is false for a file, which accepts a whole line in one write.
  @inline(__always)
  var isShared: Bool { identity != nil }

  /// Returns the stream of the descriptor, retained until `giveBack(_:)` is called.
  static func take(
    for descriptor: FileDescriptor, _ kind: FileDescriptor.Kind
  ) -> Unmanaged<StreamState> {
    guard kind != .file, let identity = descriptor.identity else {
      return .passRetained(StreamState(nil))
    }
    return all.withLock { all in
      let shared = all[identity] ?? Shared(stream: StreamState(identity), users: 0)
      all[identity] = Shared(stream: shared.stream, users: shared.users + 1)
      return .passRetained(shared.stream)
    }
  }

  /// Releases a stream that `take(for:_:)` returned.
  static func giveBack(_ stream: Unmanaged<StreamState>) {
    // Valid: `take(for:_:)` retained the stream.
    let stream = stream.takeRetainedValue()
    guard let identity = stream.identity else { return }
    all.withLock { all in
      all[identity]?.users -= 1
      if all[identity]?.users == 0 { all[identity] = nil }
    }
  }
}
