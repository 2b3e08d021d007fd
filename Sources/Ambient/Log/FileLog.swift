/// A log that appends a line for each record to a file.
///
/// Lines of several threads, and of several processes, are never torn: each is one append.
public final class FileLog: Log, @unchecked Sendable {
  private let sink: LineSink

  /// Opens the file for appending; missing folders, and the file, are made.
  ///
  /// - Throws: ``FileOpenError`` if that cannot be done.
  public init(path: String, level: LogLevel = .info) throws(FileOpenError) {
    sink = try LineSink(path: path, source: "FileLog \(path)")
    super.init(level: level)
  }

  /// How many records could not be written, because the disk was full for example.
  public var lostRecords: Int { sink.failures.count }

  /// Appends a line.
  public override func write(_ record: LogRecord) { sink.write(TextFormat.line(record)) }
}
