// SPDX-License-Identifier: Apache-2.0

import Checkout
import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `Demo messages` {
  @Test func `the demo's messages about help equal those in messages.txt`() throws {
    let program = AmbientDemo.program
    let help = Help(program: program, style: .plain)
    let pages = program.commands.map { help.text(for: $0, isWhole: true) }
    try MessageCatalog.expect(
      "Demo, help",
      ["Overview": help.text(for: nil), "Commands": pages.joined(separator: "\n")])
  }

  @Test func `the demo's messages about usage errors equal those in messages.txt`() throws {
    let valid = ["basket", "checkout"]
    try MessageCatalog.expect(
      "Demo, usage errors",
      [
        "An unknown command": "\(UsageError.unknownCommand("x", valid: valid))",
        "A mistyped command": "\(UsageError.unknownCommand("chekout", valid: valid))",
        "An option before the command": "\(UsageError.commandNotFirst("basket"))",
        "An unknown option":
          "\(UsageError.unknownOption("--x", command: "basket", valid: ["--item"]))",
        "An option of other commands":
          "\(UsageError.optionOfOthers("--shop", command: "story", others: valid))",
        "An unknown value":
          "\(UsageError.unknownWord("x", option: "--style", valid: ["cake", "factory"]))",
        "A value that may be a secret":
          "\(UsageError.unknownWord("x://u:s3cret@a", option: "--log", valid: ["none"]))",
        "An argument too many": "\(UsageError.unexpectedWord("x", command: "basket"))",
        "A missing option":
          "\(UsageError.missing("--store", usage: "ambient-demo basket --store DIR"))",
        "A missing value": "\(UsageError.missingValue("--store", placeholder: "DIR"))",
        "A value too many": "\(UsageError.superfluousValue("--json", "x"))",
        "A repeated option": "\(UsageError.repeated("--store"))",
        "An argument that is not UTF-8": "\(UsageError.notUTF8(argument: 3))",
        "An invalid value": "\(UsageError.invalidValue("--at", reason: "“x” is not a date"))",
      ])
  }

  @Test func `the demo's messages about failures equal those in messages.txt`() throws {
    try MessageCatalog.expect(
      "Demo, failures",
      [
        "A payment in a stored shop": "\(PendingPayment(folder: "my-shop"))",
        "A payment in memory": "\(PendingPayment(folder: nil))",
        "A stored basket":
          "\(StoredBasketError(path: "b/basket.json", error: .unknownSKU("mog", nearest: nil)))",
        "Queues": "\(QueueListError(folder: "q", reason: "it contains no queue"))",
        "A log that is a folder": "\(LogRecoveryError.folder("shop.log"))",
        "Buffers":
          "\(LogRecoveryError.noBuffers(in: "buffers", reason: "Permission denied"))",
      ])
  }
}
