// SPDX-License-Identifier: Apache-2.0

/// What was measured of one case with one number of threads.
struct Row: Sendable {
  let suite: String
  let name: String
  let threads: Int
  /// Nanoseconds a call: the median of the rounds; `nil` if nothing was timed.
  let nanoseconds: Double?
  /// How many times the floor of the same rounds, with as many threads.
  let ratio: Double?
  /// Blocks allocated by a call; `nil` where they cannot be counted.
  let allocations: Double?

  /// One line of JSON. What was not measured is `null`.
  var json: String {
    let name = name.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    return """
      {"suite":"\(suite)","case":"\(name)","threads":\(threads),"ns":\(number(nanoseconds, 3)),\
      "ratio":\(number(ratio, 3)),"allocations":\(number(allocations, 3))}
      """
  }

  /// One line of a table, under ``Row/tableHead``.
  var tableLine: String {
    let columns = [
      "\(threads)", nanoseconds.map { number($0, 1) }, ratio.map { number($0, 2) },
      allocations.map { number($0, 2) },
    ]
    return padded(name, 56)
      + columns.map { aligned($0 ?? "–", 12) }.joined()
  }

  /// The names of the table's columns.
  static func tableHead(_ suite: String) -> String {
    padded(suite, 56)
      + ["threads", "ns", "× floor", "allocations"].map { aligned($0, 12) }.joined()
  }
}

private func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(width - text.count, 1))
}

private func aligned(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(width - text.count, 1)) + text
}

/// The number with so many decimals, or `null`.
private func number(_ value: Double?, _ decimals: Int) -> String {
  guard let value, value.isFinite else { return "null" }
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let (whole, rest) = Int((value * scale).rounded()).quotientAndRemainder(dividingBy: Int(scale))
  let digits = "\(rest)"
  return decimals == 0
    ? "\(whole)" : "\(whole).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
}
