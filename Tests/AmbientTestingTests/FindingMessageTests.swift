// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import AmbientTesting

@Suite struct `Test finding messages` {
  @Test func `messages about unintended uses equal those in messages.txt`() throws {
    func text(_ use: String, _ others: Set<String> = []) -> String {
      UnintendedUses.text(use, "  used: Shop/Till.swift:7, in Till.open()", others)
    }
    try MessageCatalog.expect(
      "Tests, findings",
      [
        "A use of the process's instance":
          text(UnintendedUses.text(ofEscape: "Log.instance and Time.instance")),
        "A use that may be another test's":
          text(UnintendedUses.text(ofEscape: "Log.instance"), ["buys twice", "buys once"]),
        "A use of a default": text(UnintendedUses.text(ofDefault: "Time.instance")),
      ])
  }
}
