// SPDX-License-Identifier: Apache-2.0

/// The period of a rotated log, stored in the file of the log's lock, so that restarted programs
/// and other processes can read it.
///
/// The record is one line of text, such as `ambient-rotation 1 day 1795651200 2026-11-26 shop.log`.
enum RotationRecord {
  private static let beginning = "ambient-rotation 1"
  /// The maximum number of bytes to read. It is larger than any record, because the name of a file
  /// has at most 255 bytes.
  private static let limit = 512

  static func write(_ period: RotationPeriod, of log: String, to lock: borrowing FileLock) {
    // A failed write is ignored. If the disk is full, for example, the write leaves the file empty.
    // A program that starts later and finds no record uses the period of the log's last change.
    lock.replace(
      by: "\(beginning) \(period.unit.rawValue) \(period.number) \(period.name) \(log)\n")
  }

  /// Reads the period of the log called `log`. Returns nil if the record is missing or damaged, or
  /// if it has another unit or belongs to another log with the same lock.
  static func read(
    of log: String, _ unit: FileRotation.Period, from lock: borrowing FileLock
  ) -> RotationPeriod? {
    guard let text = lock.text(limit: limit), text.hasPrefix("\(beginning) "),
      text.hasSuffix(" \(log)\n")
    else { return nil }
    let words = text.split(separator: " ", maxSplits: 5)
    guard words.count == 6, words[2] == unit.rawValue, let number = Int(words[3]),
      number.magnitude < 1 << 40, words[5] == "\(log)\n",
      // The period's name is checked, because it becomes a part of an archive's name.
      RotatedFile("\(log).\(words[4])", of: log, .dated)?.copy == 1
    else { return nil }
    return RotationPeriod(unit: unit, number: number, name: String(words[4]))
  }
}
