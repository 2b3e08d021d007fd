// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Ways in which C without frame pointers calls the program `Lines` back.
struct CalledBack: CustomTestStringConvertible {
  let arguments: [String]
  let output: String

  /// The first eight bytes stand in the register of the frame pointer: below and above all
  /// addresses, aligned and not, and of one that no memory can have.
  private static let texts = [
    "GET /cart HTTP/1.1", "POST /orders HTTP/1.1", "PUT /orders/1 HTTP/1.1", "PATCH / HTTP/1.1",
    "DELETE /cart HTTP/1.1", "OPTIONS * HTTP/1.1", "Host: shop.example", "Content-Length: 17",
    #"{"order": 1}"#, "", "a", "\u{FFFF}\u{FFFF}\u{FFFF}",
  ]

  static let all =
    texts.map { CalledBack(arguments: ["text", $0], output: "info     line \($0)") } + [
      CalledBack(arguments: ["qsort"], output: "sorting"),
      CalledBack(arguments: ["tsearch"], output: "searched"),
      CalledBack(arguments: ["random", "1"], output: "10000 registers"),
      CalledBack(arguments: ["signal"], output: "signalled"),
      CalledBack(arguments: ["limit"], output: "went deep"),
      CalledBack(arguments: ["heap"], output: "signalled on the heap"),
    ]

  /// Expects the program to go on and to log.
  func check(_ program: String) async throws {
    // Where the main thread's stack has no limit, its bounds reach to the heap.
    let limit = arguments == ["heap"] ? "ulimit -s unlimited; " : ""
    let result = try await Command.run(
      ["sh", "-c", "\(limit)exec \"$@\"", "sh", program] + arguments)
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains(output), "\(result.output)")
    if arguments == ["signal"] {
      #expect(
        result.output.contains("first read: unknown (its stack cannot be walked: a"),
        "\(result.output)")
    }
    if arguments == ["limit"] {
      #expect(!result.output.contains("unknown"), "\(result.output)")
      #expect(result.output.contains(/set: .*main\.swift:[0-9]+, in [a-z]/), "\(result.output)")
    }
  }

  var testDescription: String { arguments.joined(separator: " ") }
}
