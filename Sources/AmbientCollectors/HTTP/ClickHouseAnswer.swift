extension DeliveryVerdict {
  /// The verdict on an error message of ClickHouse, such as `Code: 27, e.displayText() = …`; nil
  /// for any other answer. The verdict depends on the message's code, not on the status, because up
  /// to version 20 every error has status 500.
  /// Source of the codes: src/Common/ErrorCodes.cpp of ClickHouse.
  static func clickHouse(_ answer: HTTPAnswer) -> DeliveryVerdict? {
    let text = answer.text.prefix { !$0.isNewline }
    guard text.hasPrefix("Code: "), text.contains("Exception") || text.contains("e.displayText()"),
      let code = Int(text.dropFirst(6).prefix { $0.isNumber })
    else { return nil }
    let reason = "ClickHouse code \(code)"
    switch code {
    // The event does not fit the table: a text, quotation, date, number, row, array, UUID, Boolean
    // or IP address is unreadable, a value is null, out of range or of another type, or a column is
    // unknown.
    case 6, 26, 27, 38, 41, 53, 69, 70, 72, 117, 130, 321, 349, 376, 441, 467, 675, 676:
      return .refused(reason, detail: answer.excerpt)
    // The set-up is wrong, not the event: the table (missing or read-only), the database, the
    // statement (its text, or a column, a setting or a format in it), the user, the password or the
    // user's rights.
    case 16, 36, 46, 47, 60, 62, 73, 81, 115, 164, 192, 193, 194, 195, 242, 497, 516:
      return .turnedAway(reason, detail: answer.excerpt)
    default: return .retry(reason, detail: answer.excerpt)
    }
  }
}
