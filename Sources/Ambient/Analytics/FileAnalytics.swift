// SPDX-License-Identifier: Apache-2.0

/// Analytics that append each event to a file, as one line of JSON.
///
/// A line is the event's ``TrackedEvent/json``, except that it shows private values that were
/// marked while ``AmbientPrivacy/isRevealing`` was true. The line survives the death of the process
/// as soon as `track` returns, and reaches the file within a second, unless the disk fails or does
/// not keep up (``FileOptions/whenFull``). Several threads and processes may write to the file: as
/// with ``FileLog``, their lines are not mixed as long as these processes live.
///
/// If the path is that of a named pipe or a device, each line is written at once, without a buffer,
/// and is not rotated.
public final class FileAnalytics: Analytics, @unchecked Sendable {
  private let lines: LineSink

  /// Opens the file for appending, and creates it and its folders if they are missing.
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the current folder if it is not absolute. A path
  ///     is refused if it is `~` or an address such as `file:///…`, if it begins with `~/` or `$`,
  ///     or if it has a zero byte.
  ///   - rotation: When the file is rotated, and which archives are kept; nil for no rotation.
  ///   - file: The durability of events, the folder of the buffer, the permissions of the file, and
  ///     the treatment of events when the buffer is full.
  /// - Throws: ``FileOpenError`` if the path is refused, if the file cannot be opened or created,
  ///   if a named pipe gets no reader within a second, or if `rotation` or `file` has an invalid
  ///   value.
  public init(
    path: String, rotation: FileRotation? = nil, file: FileOptions = FileOptions()
  ) throws(FileOpenError) {
    lines = try LineSink(path: path, file, rotation, source: "FileAnalytics \(path)")
  }

  /// The number of events that could not be written, for example because the disk was full.
  public override var lostEvents: Int { lines.failures.count }

  override var sink: LineSink? { lines }

  /// Writes the buffered lines to the file.
  ///
  /// With `FileOptions(survives: .machine)`, waits until the lines would survive a loss of power,
  /// but not in a fork that inherited the analytics. If the lines cannot be written, they stay in
  /// the buffer, and the failure is reported to ``Diagnostics``.
  public override func flush() { lines.flush() }

  /// Opens the path again, as ``FileLog/reopen()`` does: later lines go to the file that is at the
  /// path now.
  public func reopen() { lines.reopen() }

  /// Moves events from the buffers of dead processes to the file, as the next opening of the file
  /// would, but without a rotation.
  ///
  /// - Parameters:
  ///   - path: The path of the file, as it was passed to the dead process's analytics.
  ///   - bufferFolder: The folder of buffers, as the dead process set it; nil for the file's
  ///     folder.
  ///   - permissions: The permissions of the file, if it is missing and must be created; nil for
  ///     0644 without the bits of the process's mask.
  /// - Returns: The number of events found in buffers.
  /// - Throws: ``BufferError`` if a path or the permissions are invalid, or if the folder cannot be
  ///   read; otherwise, for the first buffer that is damaged, or whose events could not all be
  ///   moved. The events of all buffers without such a fault were moved.
  @discardableResult
  public static func recover(
    path: String, bufferFolder: String? = nil, permissions: UInt16? = nil
  ) throws(BufferError) -> Int {
    try BufferRecovery.run(path: path, bufferFolder, permissions, source: "FileAnalytics")
  }

  /// Appends the event to the file, as a line.
  ///
  /// - Parameter event: The event.
  public override func record(_ event: TrackedEvent) { lines.write(event) }
}

extension LineSink {
  func write(_ event: TrackedEvent) {
    LineBuffer.with { line in
      event.append(to: &line)
      line.append("\n")
      write(line.bytes, .important)
    }
  }
}
