// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Ambient

@Suite struct `Log messages for people` {
  @Test func `messages about logs equal those in messages.txt`() throws {
    let levels = try LogLevels("warning,Checkout=debug")
    let recorder = #expect(throws: NoRecorderError.self) {
      try NoRecorderError.check(NoLog()) as LogRecorder
    }
    try MessageCatalog.expect(
      "Ambient, logs",
      [
        "An invalid level": "\(SettingError.level("loud"))",
        "A hostile level": "\(SettingError.level("loud\n\u{1B}[2J журнал 🛒"))",
        "A level without a module": "\(SettingError.module("=debug"))",
        "An invalid format": "\(SettingError.format("xml"))",
        "An invalid level in LOG_LEVEL": LogEnvironment.text(of: .level("loud"), levels),
        "An invalid LOG_PRIVATE": LogEnvironment.text(ofPrivacy: "perhaps"),
        "Another service than a recorder": recorder?.description ?? "",
        "Signals that cannot be handled": FileLog.text(ofUncaught: "9, 0"),
      ])
  }
}
