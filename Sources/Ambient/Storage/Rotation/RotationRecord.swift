/// The period of the log, stored in the lock's file for restarted programs and for other processes.
///
/// One line of text: `ambient-rotation 1 day 1795651200 2026-11-26 shop.log`.
enum RotationRecord {
  private static let beginning = "ambient-rotation 1"
  /// Longer than any record: a file's name has 255 bytes at most.
  private static let limit = 512

  static func write(_ period: RotationPeriod, of log: String, to lock: borrowing FileLock) {
    // On a full disk the file becomes empty; the period is then that of the log's last line.
    lock.replace(
      by: "\(beginning) \(period.unit.rawValue) \(period.number) \(period.name) \(log)\n")
  }

  /// Nil for a record that is missing, damaged, of another unit, or of another log with the same
  /// lock.
  static func read(
    of log: String, _ unit: FileRotation.Period, from lock: borrowing FileLock
  ) -> RotationPeriod? {
    guard let text = lock.text(limit: limit), text.hasPrefix("\(beginning) "),
      text.hasSuffix(" \(log)\n")
    else { return nil }
    let words = text.split(separator: " ", maxSplits: 5)
    guard words.count == 6, words[2] == unit.rawValue, let number = Int(words[3]),
      number.magnitude < 1 << 40, words[5] == "\(log)\n",
      // Checked, since the name becomes part of a file's name.
      RotatedFile("\(log).\(words[4])", of: log, .dated)?.copy == 1
    else { return nil }
    return RotationPeriod(unit: unit, number: number, name: String(words[4]))
  }
}
