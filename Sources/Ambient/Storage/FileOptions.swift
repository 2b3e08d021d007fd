// SPDX-License-Identifier: Apache-2.0

/// The options of a file: the durability of lines, the folder of the buffer, the permissions, and
/// the treatment of lines when the disk is slow.
///
/// The initializers of ``FileLog`` and ``FileAnalytics`` throw a ``FileOpenError`` for invalid
/// options.
///
/// ```swift
/// var options = FileOptions(survives: .machine)
/// options.permissions = 0o640
/// let log = try FileLog(path: path, file: options)
/// ```
public struct FileOptions: Hashable, Sendable {
  /// The failures that a line survives.
  ///
  /// It survives the death of the process once the call that wrote it has returned. With
  /// ``machine``, it also survives a loss of power, after a flush or two seconds at most.
  @nonexhaustive
  public enum Survival: Hashable, Sendable {
    /// Each line is written to the file at once, by a separate system call.
    case eachLine
    /// The line survives the death of the process, because the buffer that contains it is a file.
    ///
    /// If the disk keeps up, the line is written to the file within a second, in most cases
    /// together with other lines.
    case process
    /// The line survives the death of the process, as with ``process``.
    ///
    /// It also survives a loss of power once a flush has returned or, without a flush, after two
    /// seconds at most, because the file is synchronized once a second, after a group of lines. If
    /// no buffer can be made, the file is not synchronized each second, but by a flush, when its
    /// path is opened again (also for a rotation), and when the log ends. In a fork, a file that
    /// was opened before the fork is never synchronized.
    case machine
  }

  /// The treatment of a line that finds the buffer full.
  @nonexhaustive
  public enum WhenFull: Hashable, Sendable {
    /// The caller waits for room in the buffer, at most for the given duration, zero or more.
    ///
    /// A negative duration is an invalid option. If there is still no room, the line is dropped and
    /// counted. After a wait in vain, or after a failed write, lines that find no room are dropped
    /// at once, until a write to the file succeeds.
    case wait(atMost: Duration)
    /// The line is dropped and counted.
    case drop
  }

  /// The failures that a line survives.
  public var survival: Survival
  /// The folder of the buffer; nil, the default, for the folder of the file.
  ///
  /// A missing folder is made. An empty text, `~`, a `file:` URL, a text that begins with `~/` or
  /// `$`, and a text with a zero byte are invalid options. If no buffer can be made in the folder,
  /// this is reported to ``Diagnostics``, and lines are written one by one.
  public var bufferFolder: String?
  /// The permissions of new files at the path, such as `0o640`; at most `0o777`, and the owner may
  /// write.
  ///
  /// Other permissions are an invalid option. The process's mask does not change them. An existing
  /// file keeps its own; if these differ, this is reported to ``Diagnostics``. If nil, the default,
  /// a file after a rotation has those of the file before, and the first file has 0644 without the
  /// bits of the mask.
  public var permissions: UInt16?
  /// The treatment of a line when the disk does not keep up; by default, a wait of 100 ms at most.
  ///
  /// An eighth of the buffer is reserved for events, and for records from the level warning on, so
  /// that lines of lower levels are dropped first. The option has no effect with
  /// ``Survival/eachLine``, which needs no buffer.
  public var whenFull: WhenFull
  /// The number of lines that are written one by one before a buffer is made: a log of a few lines
  /// ends before a buffer would pay off.
  var firstLines = 32

  /// Creates options with the given survival, and with the defaults of the other options.
  ///
  /// - Parameter survival: The failures that a line survives; by default, the death of the process.
  public init(survives survival: Survival = .process) {
    self.init(survival, bufferFolder: nil)
  }

  package init(
    _ survival: Survival = .process, bufferFolder: String? = nil, permissions: UInt16? = nil,
    whenFull: WhenFull = .wait(atMost: .milliseconds(100))
  ) {
    self.survival = survival
    self.bufferFolder = bufferFolder
    self.permissions = permissions
    self.whenFull = whenFull
  }

  /// The reason why a file cannot be written with these options, and advice; nil if it can.
  var fault: (reason: String, advice: String)? {
    if let permissions, permissions & ~0o777 != 0 || permissions & 0o200 == 0 {
      return (
        "its option “permissions” is 0o\(String(permissions, radix: 8))",
        """
        use permissions that let the owner write, such as 0o640, or nil for the process's default
        """
      )
    }
    if case .wait(let limit) = whenFull, limit < .zero {
      return ("its wait is \(limit)", "use zero or more, or .drop")
    }
    if let bufferFolder, let fault = SystemError.fault(of: bufferFolder) {
      return ("its bufferFolder is “\(bufferFolder)”", fault.description)
    }
    if bufferFolder == "" {
      return (
        "its bufferFolder is an empty text", "name a folder, or use nil for the file's folder"
      )
    }
    return nil
  }
}
