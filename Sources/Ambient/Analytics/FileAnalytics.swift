/// Analytics that append one JSON object a line to a file.
///
/// A line is `{"id":"…","time":"2026-11-27T05:00:00.000Z","event":"purchase","properties":{…}}`.
/// Lines of several threads, and of several processes, are never torn: each is one append.
public final class FileAnalytics: Analytics, @unchecked Sendable {
  private let sink: LineSink

  /// Opens the file for appending; missing folders, and the file, are made.
  ///
  /// - Throws: ``FileOpenError`` if that cannot be done.
  public init(path: String) throws(FileOpenError) {
    sink = try LineSink(path: path, source: "FileAnalytics \(path)")
  }

  /// How many events could not be written, because the disk was full for example.
  public var lostEvents: Int { sink.failures.count }

  /// Always.
  public override var isEnabled: Bool { true }

  /// Appends a line.
  public override func record(_ event: TrackedEvent) { sink.write(EventLine.json(event)) }
}

/// Analytics that write one JSON object a line to standard output, as ``FileAnalytics`` does.
public final class StdoutAnalytics: Analytics, @unchecked Sendable {
  private let sink = LineSink(.standardOutput, source: "StdoutAnalytics")

  /// Always.
  public override var isEnabled: Bool { true }

  /// Writes a line.
  public override func record(_ event: TrackedEvent) { sink.write(EventLine.json(event)) }
}
