/// Analytics that append one JSON object a line to a file.
///
/// A line is the event's ``TrackedEvent/json``, with private values shown where
/// ``AmbientPrivacy/isRevealing`` says so. Once the call returns, the line survives the death of
/// the process; it is in the file within a second. Lines of several threads, and of several
/// processes, are never torn while these live, as with ``FileLog``.
public final class FileAnalytics: Analytics, @unchecked Sendable {
  private let lines: LineSink

  /// Opens the file for appending; missing folders, and the file, are made.
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the current folder if it is not absolute.
  ///   - rotation: The times of rotation and the number of archives to keep; nil for no rotation.
  ///   - file: The durability of events, and the folder of the buffer.
  /// - Throws: ``FileOpenError`` if that cannot be done.
  public init(
    path: String, rotation: FileRotation? = nil, file: FileOptions = FileOptions()
  ) throws(FileOpenError) {
    lines = try LineSink(path: path, file, rotation, source: "FileAnalytics \(path)")
  }

  /// The number of events that could not be written, for example because the disk was full.
  public override var lostEvents: Int { lines.failures.count }

  override var sink: LineSink? { lines }

  /// Writes the buffered lines to the file.
  public override func flush() { lines.flush() }

  /// Appends a line.
  ///
  /// - Parameter event: The event; its line is its `json`.
  public override func record(_ event: TrackedEvent) { lines.write(event) }
}

/// Analytics that write one JSON object a line to standard output, as ``FileAnalytics`` does.
public final class StdoutAnalytics: Analytics, @unchecked Sendable {
  private let lines = LineSink(.standardOutput, source: "StdoutAnalytics")

  /// The number of events that could not be written, for example because the pipe was not read.
  public override var lostEvents: Int { lines.failures.count }

  /// Writes a line.
  ///
  /// - Parameter event: The event; its line is its `json`.
  public override func record(_ event: TrackedEvent) { lines.write(event) }
}

extension LineSink {
  fileprivate func write(_ event: TrackedEvent) {
    LineBuffer.with { line in
      event.append(to: &line)
      line.append("\n")
      write(line.bytes, .important)
    }
  }
}
