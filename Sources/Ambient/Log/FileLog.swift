/// A log that appends a line for each record to a file.
///
/// Lines of several threads, and of several processes, are never torn: each is one append.
public final class FileLog: Log, @unchecked Sendable {
  /// Opens the file for appending; missing folders, and the file, are made.
  ///
  /// - Throws: ``FileOpenError`` if that cannot be done.
  public init(
    path: String, levels: LogLevels = .environment, format: LogFormat = .text
  ) throws(FileOpenError) {
    super.init(levels, LogWriter(try LineSink(path: path, source: "FileLog \(path)"), format))
  }

  /// Opens the file for appending, for records of `level` and above.
  ///
  /// - Throws: ``FileOpenError`` if that cannot be done.
  public convenience init(
    path: String, level: LogLevel, format: LogFormat = .text
  ) throws(FileOpenError) {
    try self.init(path: path, levels: LogLevels(.from(level)), format: format)
  }
}
