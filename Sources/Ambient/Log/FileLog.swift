// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem
internal import CAmbient

/// A log that appends a line for each record to a file.
///
/// A line survives the death of the process as soon as the call returns, and reaches the file
/// within a second, unless the disk fails or does not keep up; see ``FileOptions/whenFull``. Lines
/// of several threads and processes are not mixed while these processes live. A full disk, or a
/// process that is killed during a write, may leave half a line. The next line that another process
/// writes is still whole: it begins on a new line or, if it was appended to the half line, is
/// written again. This is certain only if the killed process had logged for at least a second,
/// because the other processes need that time to notice that several processes write to the file.
///
/// After lines were lost, also by an earlier process, the log itself adds a warning with their
/// number in the field `lost`, but not in a fork that inherited the log.
///
/// If the path is that of a named pipe or a device, each line is written at once, without a buffer
/// or such a warning, and is not rotated.
public final class FileLog: Log, @unchecked Sendable {
  private let sink: LineSink

  /// Opens the file for appending, and creates it and its folders if they are missing.
  ///
  /// - Parameters:
  ///   - path: The path of the log, relative to the current folder if it is not absolute. A path is
  ///     refused if it is `~` or an address such as `file:///…`, if it begins with `~/` or `$`, or
  ///     if it has a zero byte.
  ///   - level: The lowest accepted level, in general and by module; by default from `LOG_LEVEL`.
  ///   - format: The format of a line.
  ///   - rotation: When the file is rotated, and which archives are kept; nil for no rotation.
  ///   - file: The durability of lines, the folder of the buffer, the permissions of the file, and
  ///     the treatment of lines when the buffer is full.
  /// - Throws: ``FileOpenError`` if the path is refused, if the file cannot be opened or created,
  ///   if a named pipe gets no reader within a second, or if `rotation` or `file` has an invalid
  ///   value.
  public init(
    path: String, level: LogLevels = .environment, format: LogFormat = .text,
    rotation: FileRotation? = nil, file: FileOptions = FileOptions()
  ) throws(FileOpenError) {
    let sink = try LineSink(path: path, file, rotation, source: "FileLog \(path)")
    self.sink = sink
    super.init(level, RecordLineWriter(sink, format))
  }

  /// Writes the buffered lines to the file.
  ///
  /// With `FileOptions(survives: .machine)`, waits until the lines would survive a loss of power,
  /// but not in a fork that inherited the log. If the lines cannot be written, they stay in the
  /// buffer, and the failure is reported to ``Diagnostics``.
  public override func flush() { sink.flush() }

  /// Opens the path again, so that later lines go to the file that is at the path now.
  ///
  /// A program can call this when it receives SIGHUP after a rotation. If the path cannot be
  /// opened, the failure is reported to ``Diagnostics``.
  ///
  /// The call is not necessary after a rotation by another program, because the log itself checks
  /// each second whether the path still leads to the open file. It does not check the path of a
  /// named pipe or a device.
  public func reopen() { sink.reopen() }

  /// Installs a handler for these signals.
  ///
  /// When one of them arrives for the first time, the handler writes the buffered lines of each
  /// ``FileLog`` and ``FileAnalytics``. The signal then has its earlier effect: it ends the
  /// program, or calls the earlier handler. An ignored signal stays ignored. A SIGBUS for a lost
  /// page of a buffer or a queue has another effect; see ``survivesLostPages``.
  ///
  /// Even without the handler, no line is lost, because the next opening of the log recovers
  /// buffered lines. The handler makes only async-signal-safe calls. If lines of a log are being
  /// written when the signal arrives, or cannot be written, the handler leaves the lines in the
  /// buffer of that log to the next opening.
  ///
  /// A signal that does not exist or cannot be caught, such as SIGKILL, is reported to
  /// ``Diagnostics``, and skipped. For a signal that has or had the handler, a call has no effect.
  ///
  /// - Parameter signals: The signals that write the buffered lines when they first arrive.
  public static func drainOnSignals(
    _ signals: [CInt] = [
      SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP,
    ]
  ) {
    let uncaught = signals.filter { !ambient_drain_at($0) }
    guard !uncaught.isEmpty else { return }
    let numbers = uncaught.map { "\($0)" }.joined(separator: ", ")
    Diagnostics.report(
      .invalidSetting, source: "FileLog.drainOnSignals", text(ofUncaught: numbers))
  }

  static func text(ofUncaught numbers: String) -> String {
    """
    cannot handle the signals \(numbers): they cannot be caught, or do not exist. If one ends the \
    program, the next opening of the log writes the buffered lines.
    """
  }

  /// Whether the program continues if pages of a buffer, or of a collector's queue, are lost.
  ///
  /// Pages are lost if the disk fails, or if another process truncates the file. True by default.
  /// Set this property before the first ``FileLog``, ``FileAnalytics`` or queue is opened: once the
  /// handler is installed, the value `false` has no effect. Nor has it if ``drainOnSignals(_:)``
  /// handles SIGBUS, as it does by default.
  ///
  /// On an access to a lost page, the system sends SIGBUS, which would end the program. Therefore
  /// the first buffer or queue installs a signal handler. If the page belongs to one of these
  /// files, the handler maps memory in place of the file. It passes all other faults to the earlier
  /// handler, or to the system. This works only on Linux.
  public static var survivesLostPages: Bool {
    get { LostPages.areSurvived }
    set { LostPages.areSurvived = newValue }
  }

  /// Moves lines from the buffers of dead processes to the log, as the next opening of the log
  /// would, but without a rotation.
  ///
  /// - Parameters:
  ///   - path: The path of the log, as the dead process gave it.
  ///   - bufferFolder: The folder of buffers, as the dead process gave it; nil for the log's
  ///     folder.
  ///   - permissions: The permissions of the log, if it is missing and must be created; nil for
  ///     0644 without the bits of the process's mask.
  /// - Returns: The number of lines found in buffers.
  /// - Throws: ``BufferError`` if a path or the permissions are invalid, or if the folder cannot be
  ///   read; otherwise, for the first buffer that is damaged, or whose lines could not all be
  ///   moved. The lines of all buffers without such a fault were moved.
  @discardableResult
  public static func recover(
    path: String, bufferFolder: String? = nil, permissions: UInt16? = nil
  ) throws(BufferError) -> Int {
    try BufferRecovery.run(path: path, bufferFolder, permissions, source: "FileLog")
  }
}
