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
    /// As ``process``, and within a second, or a flush, the loss of power, too: each group of lines
    /// is followed by `fdatasync`.
    case machine
  }

  /// What is done with a line for which the buffer has no room.
  public enum WhenFull: Hashable, Sendable {
    /// The caller waits for room, so long at most; then the line is dropped and counted.
    case wait(atMost: Duration)
    /// The line is dropped and counted.
    case drop
  }

  /// What a line survives.
  public var survival: Survival
  /// Where the buffer is made; nil for beside the file.
  public var bufferFolder: String?
  /// Which permissions files have that are made, whatever the process's mask; nil for 0644 and the
  /// mask.
  public var permissions: UInt16?
  /// What is done with a line when the disk does not keep up.
  ///
  /// An eighth of the buffer is kept for warnings and above, so that others are dropped first.
  public var whenFull: WhenFull

  /// How a file is written.
  public init(
    survives survival: Survival = .process, bufferFolder: String? = nil,
    permissions: UInt16? = nil, whenFull: WhenFull = .wait(atMost: .milliseconds(100))
  ) {
    self.survival = survival
    self.bufferFolder = bufferFolder
    self.permissions = permissions
    self.whenFull = whenFull
  }

  /// Why a file cannot be written so; nil if it can.
  var fault: String? {
    if let permissions, permissions & ~0o777 != 0 || permissions & 0o200 == 0 {
      return
        "the permissions \(String(permissions, radix: 8)) are none for a file that its owner writes"
    }
    if case .wait(let limit) = whenFull, limit < .zero { return "a wait of \(limit) is none" }
    if bufferFolder == "" { return "the folder of the buffer has no name" }
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
