#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The file that stands at a path, and is followed when another takes its place there: after a
/// rotation, by us or by others, a deletion, or the loss of its folder.
///
/// Used by one thread at a time; its owner has a lock for that.
struct OpenFile: ~Copyable {
  let path: String
  let permissions: UInt16?
  let survivesMachine: Bool
  /// Nil while the file is opened for each line.
  var descriptor: FileDescriptor?
  var identity: FileDescriptor.Identity?
  /// When it was last looked whether the path still is this file.
  private var latestLook = SystemClock.coarse()
  /// Whether the last line was written in part only.
  private var isTorn = false
  /// Whether a batch was written that may not stand on the disk yet, and when the last did.
  var isUnsynchronized = false
  private var latestSynchronization = 0
  /// Nil for a file that is not rotated.
  var rotator: Rotator?
  /// What came of the last rotation, until it is told.
  var latestRotation: RotationOutcome?
  /// Whether the file's lock was had for this batch.
  var isLocked = false
  /// The size after the last batch: another one tells that somebody else has written.
  var latestEnd = -1

  /// How long a file that was renamed still takes lines where nobody has made the next.
  private let grace: Duration

  /// How long the path is trusted, in seconds.
  private static var trust: Int { 1 }

  init(
    path: String, _ options: FileOptions, _ descriptor: FileDescriptor, _ rotator: Rotator? = nil,
    grace: Duration = .milliseconds(50)
  ) {
    self.path = path
    self.grace = grace
    self.rotator = rotator
    permissions = options.permissions
    survivesMachine = options.survival == .machine
    self.descriptor = descriptor
    identity = descriptor.identity
  }

  deinit { descriptor?.close() }

  /// Closes the file; a line opens it again.
  mutating func close() {
    descriptor?.close()
    descriptor = nil
    identity = nil
  }

  /// Opens the path anew, onto the same number if one is open.
  mutating func reopen() throws(SystemError) {
    let new = try Self.openAgain(path, permissions)
    _ = synchronize(atOnce: true)
    if let descriptor { try descriptor.become(new) } else { descriptor = new }
    identity = descriptor?.identity
    isTorn = false
    latestEnd = -1
  }

  /// Opens the file for appending, after making the folders that are missing.
  static func open(
    _ path: String, _ permissions: UInt16?, waits: Bool = true
  ) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      return try .appending(to: path, permissions: permissions, waits: waits)
    } catch {
      guard error.isMissing else { throw error }
      // What goes wrong the system says better when the file is opened.
      try? FileManager.default.createDirectory(
        atPath: FileSystem.split(path).folder, withIntermediateDirectories: true)
      return try .appending(to: path, permissions: permissions, waits: waits)
    }
  }

  /// Opens what took the place of the file, if that is a file: a pipe would keep callers waiting.
  static func openAgain(
    _ path: String, _ permissions: UInt16?
  ) throws(SystemError) -> FileDescriptor {
    let new = try open(path, permissions, waits: false)
    guard new.isRegular else {
      new.close()
      throw .isInTheWay
    }
    return new
  }

  /// Waits until what was written stands on the disk; at most once a second unless `atOnce`.
  mutating func synchronize(atOnce: Bool) -> SystemError? {
    guard isUnsynchronized, atOnce || SystemClock.coarse() > latestSynchronization else {
      return nil
    }
    do throws(SystemError) { try descriptor?.synchronize() } catch { return error }
    isUnsynchronized = false
    latestSynchronization = SystemClock.coarse()
    return nil
  }

  /// Opens the path anew if it is another file by now.
  ///
  /// What cannot be opened leaves the file that is open, which still takes what is written, unless
  /// it was removed: then nobody would ever read that.
  mutating func follow() -> SystemError? {
    latestLook = SystemClock.coarse()
    if let identity, FileDescriptor.identity(at: path) == identity { return nil }
    awaitNext()
    do throws(SystemError) {
      try reopen()
    } catch {
      return descriptor?.isRemoved ?? true ? error : nil
    }
    return nil
  }

  /// Waits a little for whoever renamed the file to make the next, as logrotate does: one made by
  /// us in between it would put aside, and the next such in its place.
  func awaitNext() {
    guard let descriptor, !descriptor.isRemoved else { return }
    let end = SystemClock.monotonic() + grace
    while FileDescriptor.identity(at: path) == nil, SystemClock.monotonic() < end {
      SystemThread.sleep(.milliseconds(1))
    }
  }
}

/// Lines one by one.
extension OpenFile {
  /// Writes the line in one call, to whatever file the path was within the last second.
  ///
  /// - Parameter now: For a file that is rotated.
  mutating func write(_ line: UnsafeRawBufferPointer, _ now: Date?) -> SystemError? {
    if let now { rotate(adding: line.count, now) }
    guard let descriptor else { return writeOnce(line) }
    if SystemClock.coarse() - latestLook >= Self.trust, let error = follow() {
      // To be looked at once more by the next line.
      latestLook -= Self.trust
      return error
    }
    if isTorn, let error = end(descriptor) { return error }
    let (count, error) = descriptor.write(line, patience: -1, isPrompt: false)
    guard let error else {
      isUnsynchronized = survivesMachine
      return nil
    }
    if count > 0 { isTorn = true }
    if error.isStale { try? reopen() } else { _ = follow() }
    return error
  }

  /// Opens the file for this line alone.
  private mutating func writeOnce(_ line: UnsafeRawBufferPointer) -> SystemError? {
    do throws(SystemError) {
      let descriptor = try Self.openAgain(path, permissions)
      defer { descriptor.close() }
      if isTorn, let error = end(descriptor) { return error }
      let (count, error) = descriptor.write(line, patience: -1, isPrompt: false)
      if error != nil, count > 0 { isTorn = true }
      return error
    } catch {
      return error
    }
  }

  /// Ends a line of which a part was written.
  mutating func end(_ descriptor: FileDescriptor) -> SystemError? {
    var newline = UInt8(ascii: "\n")
    // Valid: one byte, for the time of the call.
    let (_, error) = withUnsafeBytes(of: &newline) {
      descriptor.write($0, patience: -1, isPrompt: false)
    }
    if error == nil { isTorn = false }
    return error
  }
}
