internal import CAmbient

#if canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#elseif canImport(Darwin)
  public import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif

/// A log that appends a line for each record to a file.
///
/// A line survives the death of the process as soon as the call returns, and stands in the file
/// within a second. Lines of several threads, and of several processes, are never torn while these
/// live. Behind the half line of a process that was killed within a write, a line begins anew, or
/// is there once more on a line of its own, if that process had logged for a second.
public final class FileLog: Log, @unchecked Sendable {
  private let sink: LineSink

  /// Opens the file for appending; missing folders, and the file, are made.
  ///
  /// - Parameters:
  ///   - path: The path of the log, relative to the current folder if it is not absolute.
  ///   - level: From which level on records are accepted, by module; `LOG_LEVEL`'s if not said.
  ///   - format: How a record is written.
  ///   - rotation: When the file gets another name, and which are kept; nil for never.
  ///   - file: What a line survives, where its buffer is, and what is done when that is full.
  /// - Throws: ``FileOpenError`` if that cannot be done.
  public init(
    path: String, level: LogLevels = .environment, format: LogFormat = .text,
    rotation: FileRotation? = nil, file: FileOptions = FileOptions()
  ) throws(FileOpenError) {
    let sink = try LineSink(path: path, file, rotation, source: "FileLog \(path)")
    self.sink = sink
    super.init(level, LogWriter(sink, format))
  }

  /// Writes what waits in the buffer; if lines are to survive the machine, returns when they do.
  public override func flush() { sink.flush() }

  /// Opens the path anew, for a program that is told so by SIGHUP: what is written from now on
  /// stands in the file that is there now.
  ///
  /// Not needed after a rotation by others: the path is looked at each second.
  public func reopen() { sink.reopen() }

  /// Lets these signals, the first time that they come, write what waits in the buffers of all
  /// file logs before they do what they do now: end the program, or call the handler that was set
  /// before. One that is ignored stays so.
  ///
  /// Not needed to lose nothing: the next opening of the log has those lines. The handler calls
  /// `writev` alone, and leaves to the next opening what is being written at that moment.
  ///
  /// - Parameter signals: The signals at whose first coming the buffer is written.
  public static func drainOnSignals(
    _ signals: [CInt] = [
      SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP,
    ]
  ) {
    for signal in signals { _ = ambient_drain_at(signal) }
  }

  /// Whether the program goes on when a buffer, or the queue of a ``Journal``, loses pages: the
  /// disk fails, or another process cuts the file. True unless set, before the first of them is
  /// made.
  ///
  /// The system signals SIGBUS then, which ends a program. A handler for it takes only what is
  /// about these files, and leaves all else to the handler before it, or to the system. On Linux
  /// alone.
  public static var survivesLostPages: Bool {
    get { LostPages.areSurvived }
    set { LostPages.areSurvived = newValue }
  }

  /// Brings what a process that died has left in a buffer to the log, as the next opening would.
  ///
  /// - Parameters:
  ///   - path: The path of the log, as the writer gave it.
  ///   - bufferFolder: The folder of buffers that the writer was told; nil for that of the log.
  ///   - permissions: Of the log, if it is not there any more and is made.
  /// - Returns: How many lines were in buffers.
  /// - Throws: ``BufferFault`` for the first buffer whose lines could not be brought there; those
  ///   of the others were.
  @discardableResult
  public static func recover(
    path: String, bufferFolder: String? = nil, permissions: UInt16? = nil
  ) throws(BufferFault) -> Int {
    let recovery = BufferRecovery(
      of: LineSink.absolute(path),
      FileOptions(bufferFolder: bufferFolder.map(LineSink.absolute), permissions: permissions))
    recovery.tellLoss("FileLog \(path)")
    if let fault = recovery.faults.first { throw fault }
    return recovery.lines
  }
}
