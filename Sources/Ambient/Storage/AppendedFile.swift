/// A file that a sink appends to: kept open while it is needed, else opened for each line.
///
/// A service that was replaced is kept for good, since calls may be under way on it. Its file is
/// closed, so that a program which replaces its log every hour does not run out of descriptors;
/// whoever still writes to it pays for an opening.
final class AppendedFile: Sendable {
  private struct State {
    var descriptor: FileDescriptor?
    var isKept = true
  }

  private let path: String
  private let state: Guarded<State>

  /// Opens the file, making it if it is missing.
  convenience init(path: String) throws(SystemError) {
    self.init(path: path, try FileDescriptor.appending(to: path))
  }

  init(path: String, _ descriptor: FileDescriptor) {
    self.path = path
    state = Guarded(State(descriptor: descriptor))
  }

  deinit { state.withLock { $0.descriptor?.close() } }

  /// Calls `write` with the open file, while no other thread has it.
  @inline(__always)
  func append(_ write: (FileDescriptor) -> SystemError?) -> SystemError? {
    state.withLock { state in
      if let descriptor = state.descriptor { return write(descriptor) }
      return open(&state, write)
    }
  }

  @inline(never)
  private func open(
    _ state: inout State, _ write: (FileDescriptor) -> SystemError?
  ) -> SystemError? {
    let descriptor: FileDescriptor
    do throws(SystemError) {
      descriptor = try FileDescriptor.appending(to: path)
    } catch {
      return error
    }
    if state.isKept { state.descriptor = descriptor }
    defer { if !state.isKept { descriptor.close() } }
    return write(descriptor)
  }

  /// Keeps the file open from the next line on, or closes it.
  ///
  /// - Parameter isNeeded: Asked while nobody else changes that, so that the last answer holds.
  func keep(if isNeeded: () -> Bool) {
    state.withLock { state in
      state.isKept = isNeeded()
      guard !state.isKept else { return }
      state.descriptor?.close()
      state.descriptor = nil
    }
  }
}
