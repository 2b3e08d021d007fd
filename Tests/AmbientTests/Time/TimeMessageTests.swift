// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Time messages` {
  @Test func `messages about times equal those in messages.txt`() throws {
    let caller = SourcePlace(fileID: "Checkout/Basket.swift", line: 42)
    let date = try Date(iso8601: "2026-11-27T00:00:00-05:00")
    let frozen = FrozenTimeError(date: date, duration: .seconds(5), caller: caller)
    func timeout(isSeen: Bool) -> String {
      "\(Time.TimeoutError(duration: .seconds(5), caller: caller, isSeen: isSeen))"
    }
    let factor = #expect(throws: SettingError.self) { try ScaledTime(of: DefaultTime(), by: -1) }
    try MessageCatalog.expect(
      "Ambient, times",
      [
        "A sleep in frozen time": "\(frozen)",
        "A timeout": timeout(isSeen: true),
        "A timeout while something was unseen": timeout(isSeen: false),
        "An invalid factor": factor?.description ?? "",
        "A background task that threw": Time.taskFailure("reminders", caller, CancellationError()),
      ])
  }
}
