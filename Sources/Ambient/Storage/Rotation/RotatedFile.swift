// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

/// An archive (a rotated file), described by its name.
struct RotatedFile: Comparable {
  /// The name without the ending `.gz` of a compressed file.
  let name: String
  /// The sort key, which orders archives from the oldest to the newest. An older archive has a
  /// greater number, or an earlier date.
  private let order: [Int]
  /// Whether the uncompressed file exists (`isPlain`), and whether the compressed file exists
  /// (`isCompressed`). Both files exist if a compression was interrupted.
  var isPlain = false
  var isCompressed = false
  var size = 0
  var modified = Date.distantPast

  static let ending = ".gz"

  static func < (left: RotatedFile, right: RotatedFile) -> Bool {
    left.order.lexicographicallyPrecedes(right.order)
  }

  static func == (left: RotatedFile, right: RotatedFile) -> Bool { left.name == right.name }

  /// Parses the name of an archive. Returns nil if no rotation of `log` with this form of names
  /// produces the name.
  init?(_ name: String, of log: String, _ names: FileRotation.Names) {
    // The names are compared by bytes, because texts that are equal as Unicode may name different
    // files.
    guard name.utf8.starts(with: "\(log).".utf8) else { return nil }
    self.name = name
    let rest = Substring(name.utf8.dropFirst(log.utf8.count + 1))
    switch names {
    case .numbered:
      guard let number = Self.number(rest) else { return nil }
      order = [-number]
    case .dated:
      let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count <= 2, let period = Self.period(parts[0]) else { return nil }
      let copy = parts.count == 2 ? Self.number(parts[1]) : 1
      guard let copy, parts.count == 1 || copy > 1 else { return nil }
      order = period + [copy]
    }
  }

  /// Whether this archive's date is before the other's, regardless of their numbers.
  func isEarlier(than other: RotatedFile) -> Bool {
    order.dropLast().lexicographicallyPrecedes(other.order.dropLast())
  }

  /// The archive's number among the archives of the same date. The name omits the number 1.
  var copy: Int { order.last ?? 1 }

  /// Reads a number of six digits at most, so that a date without hyphens is not taken for a
  /// number.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard let first = text.utf8.first, first != UInt8(ascii: "0") else { return nil }
    return digits(text, 1...6)
  }

  /// Parses a year, month, day and hour. A date without an hour gets the hour 24, so that it sorts
  /// after the hours of its day.
  private static func period(_ text: some StringProtocol) -> [Int]? {
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count <= 2, date.count == 3, let year = digits(date[0], 4...4),
      let month = digits(date[1], 2...2), (1...12).contains(month),
      let day = digits(date[2], 2...2),
      (1...CivilDate.daysIn(month: month, of: year)).contains(day)
    else { return nil }
    guard halves.count == 2 else { return [year, month, day, 24] }
    guard let hour = digits(halves[1], 2...2), hour < 24 else { return nil }
    return [year, month, day, hour]
  }

  private static func digits(_ text: some StringProtocol, _ count: ClosedRange<Int>) -> Int? {
    let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isNumber && count.contains(text.utf8.count) ? Int(text) : nil
  }
}
