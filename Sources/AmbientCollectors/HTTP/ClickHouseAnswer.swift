extension Verdict {
  /// What ClickHouse means: it answers a failure with text, as `Code: 27, e.displayText() = …`, and
  /// up to version 20 always with status 500. Nil if the answer is none of its failures.
  ///
  /// Codes: src/Common/ErrorCodes.cpp of ClickHouse.
  static func clickHouse(_ answer: Answer) -> Verdict? {
    let text = answer.text.prefix { !$0.isNewline }
    guard text.hasPrefix("Code: "), text.contains("Exception") || text.contains("e.displayText()"),
      let code = Int(text.dropFirst(6).prefix { $0.isNumber })
    else { return nil }
    let reason = "ClickHouse code \(code)"
    switch code {
    // An event does not fit the table: text, dates, numbers, quotation marks, rows and identities
    // that cannot be read, a value out of range, one of another type, a column that is not there.
    case 6, 26, 27, 38, 41, 53, 69, 70, 72, 117, 130, 321, 349, 376, 441, 467, 675, 676:
      return .refused(reason, detail: answer.excerpt)
    // Table, also one that is read-only, database, column of the statement, its text, a setting or
    // a format that it names, the user, the password, or what that user may do: no event is at
    // fault.
    case 16, 36, 46, 47, 60, 62, 73, 81, 115, 164, 192, 193, 194, 195, 242, 497, 516:
      return .turnedAway(reason, detail: answer.excerpt)
    default: return .retry(reason, detail: answer.excerpt)
    }
  }
}
