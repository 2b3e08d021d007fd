/// A pipe or a terminal, shared by all sinks of this process that write to it.
///
/// A long line takes several writes, so the sinks take turns. They share whether the last line was
/// torn, and whether the pipe is full.
final class SharedStream: Sendable {
  /// The lock that a sink holds while it writes a line.
  let turn = Guarded(())
  let state = LineState()

  private let identity: FileDescriptor.Identity

  private struct Shared {
    let stream: SharedStream
    var users: Int
  }

  /// The streams in use. The table keeps them alive, since weak references would make each use
  /// slow.
  private static let all = Guarded<[FileDescriptor.Identity: Shared]>([:])

  private init(_ identity: FileDescriptor.Identity) { self.identity = identity }

  /// Returns the shared stream of the descriptor, retained until `giveBack(_:)` is called. Returns
  /// nil for a file: its sinks need not take turns, because a file accepts a whole line in one
  /// write.
  static func take(
    for descriptor: FileDescriptor, _ kind: FileDescriptor.Kind
  ) -> Unmanaged<SharedStream>? {
    guard kind != .file, let identity = descriptor.identity else { return nil }
    return all.withLock { all in
      let shared = all[identity] ?? Shared(stream: SharedStream(identity), users: 0)
      all[identity] = Shared(stream: shared.stream, users: shared.users + 1)
      return .passRetained(shared.stream)
    }
  }

  /// Releases a stream that `take(for:_:)` returned.
  static func giveBack(_ stream: Unmanaged<SharedStream>) {
    // Valid: `take(for:_:)` retained the stream.
    let stream = stream.takeRetainedValue()
    all.withLock { all in
      all[stream.identity]?.users -= 1
      if all[stream.identity]?.users == 0 { all[stream.identity] = nil }
    }
  }
}
