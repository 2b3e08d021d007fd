// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem
internal import Synchronization

/// A stream to which whole lines are written: a standard stream, a named pipe, or a device.
///
/// If a pipe is full, a write waits for room, for a second by default. If there is no room by then,
/// this line and the following ones are refused, until the pipe has room again. If a line could be
/// written only in part, a newline is written before the next line. Once a second, the stream looks
/// at the file behind its descriptor, since a program may replace that file at any time.
/// Thread-safe.
final class LineStream: Sendable {
  /// The default time that a line waits for room in a full pipe.
  static let patience = Duration.seconds(1)

  /// The origin of the descriptor.
  enum Source: Sendable {
    /// An open descriptor, which the stream does not close.
    ///
    /// If `reopensPipe` is true, and if the descriptor is a pipe's, the stream opens the pipe
    /// again, for itself alone.
    case open(FileDescriptor, reopensPipe: Bool = false)
    /// The path of a named pipe or a device.
    case path(String)
  }

  /// The reader of the stream, as known from the last look.
  enum Reader: UInt8, Sendable {
    case other, terminal
    /// The journal of systemd, which reads a severity before each line (sd-daemon(3)).
    case journal
  }

  /// The number of milliseconds that a line waits for room in a full pipe.
  let patience: CInt
  private let target: Guarded<Target>
  private let knownReader = Atomic<UInt8>(Reader.other.rawValue)

  /// Creates a stream to an open descriptor.
  convenience init(
    _ descriptor: FileDescriptor, reopensPipe: Bool = false, patience: Duration = patience
  ) {
    self.init(.open(descriptor, reopensPipe: reopensPipe), nil, patience)
  }

  /// Creates a stream to a named pipe or a device.
  ///
  /// - Parameter opened: The path's descriptor, opened just now with O_NONBLOCK, so that a write to
  ///   a full pipe fails instead of waiting.
  convenience init(path: String, _ opened: FileDescriptor) {
    self.init(.path(path), OwnedDescriptor(opened), Self.patience)
  }

  private init(_ source: Source, _ owned: OwnedDescriptor?, _ patience: Duration) {
    self.patience = CInt(patience / .milliseconds(1))
    // A stream's reader may go away, and a pipe may be put in the place of a file at any time.
    WriteSignals.surviveClosedPipe()
    target = Guarded(Target(source, owned))
    knownReader.store(target.withLock { $0.reader.rawValue }, ordering: .relaxed)
  }

  /// The reader of the stream, as known from the last look.
  @inline(__always)
  var reader: Reader { Reader(rawValue: knownReader.load(ordering: .relaxed)) ?? .other }

  /// Writes the line. No other stream of this process can write into the middle of the line.
  /// Returns the error if the line was not written whole, and nil otherwise.
  @inline(never)
  func write(_ line: UnsafeRawBufferPointer) -> SystemError? {
    target.withLock { target in
      let second = SystemClock.coarse()
      if second != target.latestLook {
        target.look(second)
        knownReader.store(target.reader.rawValue, ordering: .relaxed)
      }
      return target.write(line, patience)
    }
  }

  /// The reason why a line was dropped after a wait of so many milliseconds.
  static func text(ofWait patience: CInt) -> String {
    "its reader read nothing for \(patience) ms"
  }

  /// Opens the path of a named pipe again. Does nothing for an open descriptor.
  func reopen() throws(SystemError) {
    try target.withLock { target throws(SystemError) in try target.reopen() }
  }

  /// Opens a file that isn't a regular one. Waits a second at most for the reader of a named pipe.
  ///
  /// - Throws: The system's error; `noReader` if a named pipe has no reader.
  static func open(_ path: String) throws(SystemError) -> FileDescriptor {
    var opened: FileDescriptor?
    try SystemThread.wait(atMost: patience) { () throws(SystemError) in
      do throws(SystemError) { opened = try .appending(to: path) } catch {
        guard error.number == ENXIO else { throw error }
      }
      return opened != nil
    }
    guard let opened else { throw .noReader }
    return opened
  }
}

/// The file that a stream writes to now.
private struct Target: ~Copyable {
  private let source: LineStream.Source
  /// The descriptor that this stream has opened for itself; nil if it writes to one that others
  /// opened.
  private var owned: OwnedDescriptor?
  private var kind = FileDescriptor.Kind.file
  private var identity: FileDescriptor.Identity?
  private var turns = StreamTurns.none
  private(set) var reader = LineStream.Reader.other
  /// The second of the last look.
  private(set) var latestLook = -1

  init(_ source: LineStream.Source, _ owned: OwnedDescriptor?) {
    self.source = source
    self.owned = owned
    look(SystemClock.coarse())
  }

  deinit { turns.giveBack() }

  /// Finds out what the descriptor leads to now.
  @inline(never)
  mutating func look(_ second: Int) {
    latestLook = second
    let isOwn = owned?.condition == .own
    switch source {
    case .path: if !isOwn { try? reopen() } else if identity == nil { adopt() }
    case .open(let descriptor, let reopensPipe):
      // A pipe that was opened again stays the stream's, even if the descriptor is redirected.
      if isOwn, kind == .pipe { return }
      let now = descriptor.identity
      if identity != nil, identity == now, owned == nil || isOwn { return }
      owned = nil
      adopt(descriptor)
      // Only a descriptor that was opened with O_NONBLOCK never blocks a write to a terminal.
      guard kind == .terminal || kind == .pipe && reopensPipe,
        let again = descriptor.reopenedToWriteAtOnce()
      else { return }
      owned = OwnedDescriptor(again)
    }
  }

  mutating func reopen() throws(SystemError) {
    guard case .path(let path) = source else { return }
    let again = try FileDescriptor.appending(to: path, creates: false)
    if again.isRegular {
      again.close()
      throw .inTheWay
    }
    owned = OwnedDescriptor(again)
    adopt()
  }

  private mutating func adopt(_ other: FileDescriptor? = nil) {
    guard let descriptor = other ?? owned?.unchecked else { return }
    kind = descriptor.kind
    identity = descriptor.identity
    turns.giveBack()
    turns = kind == .file ? StreamTurns() : StreamTurns.take(for: identity)
    reader =
      kind == .terminal ? .terminal : identity?.isOfJournal == true ? .journal : .other
  }

  private var descriptor: FileDescriptor? {
    if let number = owned?.unchecked { return number }
    if case .open(let descriptor, _) = source { return descriptor }
    return nil
  }

  /// Writes the line after other code has closed the stream's own descriptor.
  @inline(never)
  private mutating func writeAgain(
    _ line: UnsafeRawBufferPointer, _ patience: CInt
  ) -> SystemError? {
    look(latestLook)
    guard owned?.condition != .closed else { return .noReader }
    return write(line, patience)
  }

  @inline(__always)
  mutating func write(_ line: UnsafeRawBufferPointer, _ patience: CInt) -> SystemError? {
    guard let descriptor else { return .noReader }
    let isPrompt = kind != .file && owned == nil
    let error =
      kind == .file
      ? turns.write(line, to: descriptor, patience, isPrompt)
      : turns.turn.withLock { _ in turns.write(line, to: descriptor, patience, isPrompt) }
    return error == .closed && owned != nil ? writeAgain(line, patience) : error
  }
}

extension FileDescriptor.Identity {
  /// Whether this is the stream that the journal of systemd reads, by the variable `JOURNAL_STREAM`
  /// (systemd.exec(5)).
  fileprivate var isOfJournal: Bool {
    Environment.value("JOURNAL_STREAM") == "\(device):\(file)"
  }
}
