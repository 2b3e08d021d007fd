#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A file that was put away, as its name says.
struct RotatedFile: Comparable {
  /// Without the ending of a compressed one.
  let name: String
  /// Less for an older one: a number is greater for one, a date less.
  private let order: [Int]
  /// Whether it is there as it was written, and compressed: both if a compression broke off.
  var isPlain = false
  var isCompressed = false
  var size = 0
  var modified = Date.distantPast

  static let ending = ".gz"

  static func < (left: RotatedFile, right: RotatedFile) -> Bool {
    left.order.lexicographicallyPrecedes(right.order)
  }

  static func == (left: RotatedFile, right: RotatedFile) -> Bool { left.name == right.name }

  /// Nil for a name that a rotation of `log` with such names does not give.
  init?(_ name: Substring, of log: String, _ names: FileRotation.Names) {
    // By bytes: equal texts may be names of different files.
    guard name.utf8.starts(with: "\(log).".utf8) else { return nil }
    self.name = String(name)
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

  /// Whether its date is before the other's, whichever their numbers are.
  func isEarlier(than other: RotatedFile) -> Bool {
    order.dropLast().lexicographicallyPrecedes(other.order.dropLast())
  }

  /// The number of those with the same date: 1 has none in its name.
  var copy: Int { order.last ?? 1 }

  /// Six digits at most, so that no date without hyphens is taken for one.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard let first = text.utf8.first, first != UInt8(ascii: "0") else { return nil }
    return digits(text, 1...6)
  }

  /// Year, month, day and hour; a day as a whole comes after its hours.
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
