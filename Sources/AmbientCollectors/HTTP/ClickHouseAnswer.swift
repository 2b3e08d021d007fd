// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension DeliveryVerdict {
  /// The verdict on an error of ClickHouse; nil for any other answer. The verdict depends on the
  /// error's code, not on the status: up to version 20 every error has status 500, and an error
  /// that occurs after the answer has begun has status 200.
  ///
  /// Source of the codes: src/Common/ErrorCodes.cpp of ClickHouse.
  static func clickHouse(_ answer: HTTPAnswer, now: Date) -> DeliveryVerdict? {
    guard let (code, text) = ClickHouseError.found(in: answer) else {
      // The missing part of the body may contain an error.
      let isOfClickHouse = answer.headers.keys.contains { $0.hasPrefix("x-clickhouse-") }
      return isOfClickHouse ? brokenOff(answer) : nil
    }
    let (reason, detail) = ("ClickHouse code \(code)", answer.excerpt)
    switch ClickHouseError.root(of: code, text) {
    case .temporary:
      // 319: a keeper was away, so the server does not know whether it has inserted the rows.
      return .retry(
        reason, after: answer.retryAfter(now: now), detail: detail, isInDoubt: code == 319)
    case .setUp: return .turnedAway(reason, detail: detail)
    case .data: return .refused(reason, detail: detail)
    case .size: return .tooLarge(reason, detail: detail)
    case nil: return .unclear(reason, after: answer.retryAfter(now: now), detail: detail)
    }
  }
}

/// The errors of ClickHouse.
enum ClickHouseError {
  /// The subject of an error. Errors that are in no list may be about anything.
  enum Root {
    /// The server or its disk: the same request may succeed later.
    case temporary
    /// The table (missing or read-only), the database, the statement, a setting in it, the user,
    /// the password, or the user's rights.
    case setUp
    /// An event: a value that cannot be parsed, that is out of range, or that its column, a
    /// constraint or a materialized column does not take.
    case data
    /// The number of rows or bytes.
    case size
  }

  private static let temporary: Set = [
    76, 95, 96, 159, 160, 173, 198, 201, 202, 203, 209, 210, 225, 236, 241, 242, 243, 244, 252, 254,
    279, 285, 286, 297, 319, 364, 369, 373, 394, 416, 425, 439, 473, 499, 519, 529, 532, 574, 677,
    693, 695, 696, 700, 722, 733, 745, 749, 762, 776, 777, 778, 904, 999, 1000,
  ]
  private static let setUp: Set = [
    16, 46, 47, 48, 50, 60, 62, 73, 81, 89, 115, 164, 192, 193, 194, 195, 218, 291, 344, 381, 392,
    452, 471, 472, 497, 511, 512, 516, 620, 720, 767, 774, 779,
  ]
  private static let data: Set = [
    6, 25, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 128, 130, 131, 153, 190, 321, 349, 376, 395,
    407,
    441, 467, 469, 563, 632, 675, 676, 691,
  ]
  private static let size: Set = [158, 307, 396]

  /// The subject of the error; nil if it is not known.
  ///
  /// - Parameter text: The error's message, which distinguishes the meanings of some codes.
  static func root(of code: Int, _ text: String) -> Root? {
    switch code {
    // A request with rows of too many partitions is too large. The other meanings of the code are
    // about the table, which has too many parts at the moment.
    case 252 where text.contains("for single INSERT block"): .size
    // A logical error of the server, unless an Enum lacks the value that the row has.
    case 49: text.contains("Unknown element") ? .data : nil
    case _ where temporary.contains(code): .temporary
    case _ where setUp.contains(code): .setUp
    case _ where data.contains(code): .data
    case _ where size.contains(code): .size
    default: nil
    }
  }

  /// The code and the message of the error in an answer; nil if there is none.
  ///
  /// Newer versions have the code in a header field. The message is a line of the body, perhaps
  /// after rows, or the first member of a JSON object. Anywhere else in a line, it may be the text
  /// of an event that a server repeats.
  static func found(in answer: HTTPAnswer) -> (code: Int, text: String)? {
    var line: Substring?
    for whole in answer.text.split(whereSeparator: \.isNewline) {
      guard let found = whole.firstMatch(of: /^(?:[{\s]*"exception": ?")?(Code: [0-9]+.*)/)?.1,
        found.contains("Exception") || found.contains("e.displayText()")
      else { continue }
      line = found
      break
    }
    let known = answer.headers["x-clickhouse-exception-code"].flatMap { Int($0) }
    let written = line.flatMap { Int($0.dropFirst(6).prefix { $0.isNumber }) }
    return (known ?? written).map { ($0, line.map(String.init) ?? "") }
  }
}
