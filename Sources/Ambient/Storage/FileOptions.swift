/// How a file is written: what a line survives, and what happens when the disk does not keep up.
///
/// ```swift
/// FileLog(path: path, file: FileOptions(survives: .machine, permissions: 0o640))
/// ```
public struct FileOptions: Hashable, Sendable {
  /// What a line survives from the moment that the call which wrote it returns.
  public enum Survival: Hashable, Sendable {
    /// Each line is written to the file at once, in a call of the system's of its own.
    case eachLine
    /// The death of the process: a line stands in a buffer that is a file, and is written with
    /// others within a second.
    case process
    /// As ``process``, and after a flush, or two seconds at most, the loss of power, too: groups of
    /// lines are followed by `fdatasync`, once a second.
    case machine
  }

  /// How a line is treated for which the buffer has no room.
  public enum WhenFull: Hashable, Sendable {
    /// The caller waits for room, so long at most; then the line is dropped and counted.
    case wait(atMost: Duration)
    /// The line is dropped and counted.
    case drop
  }

  /// What a line survives.
  public var survival: Survival
  /// Where the buffer is made, in a folder that is made if it is missing; nil for beside the file.
  public var bufferFolder: String?
  /// Which permissions files have that are made, whatever the process's mask; nil for 0644 and the
  /// mask.
  public var permissions: UInt16?
  /// How a line is treated when the disk does not keep up.
  ///
  /// An eighth of the buffer is kept for warnings and above, so that others are dropped first.
  public var whenFull: WhenFull
  /// So many lines are written one by one before a buffer is made: a log of a few lines is done
  /// with before that would pay.
  var firstLines = 32

  /// How a file is written.
  ///
  /// - Parameters:
  ///   - survival: What a line survives once the call that wrote it has returned.
  ///   - bufferFolder: The folder for the buffer, which is made if it is missing; nil for beside
  ///     the file.
  ///   - permissions: The permissions of new files, as `0o640`, with the owner's to write; nil for
  ///     0644 and the process's mask.
  ///   - whenFull: Whether a caller waits for room in a full buffer, and how long, or the line is
  ///     dropped.
  public init(
    survives survival: Survival = .process, bufferFolder: String? = nil,
    permissions: UInt16? = nil, whenFull: WhenFull = .wait(atMost: .milliseconds(100))
  ) {
    self.survival = survival
    self.bufferFolder = bufferFolder
    self.permissions = permissions
    self.whenFull = whenFull
  }

  /// Why a file cannot be written so, and what to do; nil if it can.
  var fault: (reason: String, advice: String)? {
    if let permissions, permissions & ~0o777 != 0 || permissions & 0o200 == 0 {
      return (
        "its permissions are \(String(permissions, radix: 8))",
        "give such that its owner may write, as 640, or nil for the process's own"
      )
    }
    if case .wait(let limit) = whenFull, limit < .zero {
      return ("it is to wait for \(limit)", "give zero or more, or .drop")
    }
    if bufferFolder == "" {
      return ("the folder of its buffer has no name", "name one, or give nil for beside the file")
    }
    return nil
  }
}

/// How much a line matters to a file.
enum LineWeight {
  /// Dropped first.
  case ordinary
  /// There is room kept for it.
  case important
  /// Important, and not kept waiting in a buffer.
  case urgent
}
