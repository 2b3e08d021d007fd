// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Ambient

@Suite struct `Analytics messages` {
  @Test func `messages about consent and events equal those in messages.txt`() throws {
    let share = #expect(throws: SettingError.self) { try EventStage.sampling(1.5) }
    try MessageCatalog.expect(
      "Ambient, analytics",
      [
        "A damaged file of consent": ConsentFile.damage,
        "An unknown answer":
          ConsentFile.text(ofUnknown: .init(name: "analytics", value: "perhaps")),
        "A hostile answer":
          ConsentFile.text(ofUnknown: .init(name: "журнал\n\u{1B}[2J🛒", value: true)),
        "A removed file of consent": ConsentFile.removal,
        "A file of consent that cannot be written": ConsentFile.text(ofFailure: .unopened),
        "An invalid share": share?.description ?? "",
        "A class that discards events":
          DiscardingSubclass.text("events", "record(_ event: TrackedEvent)"),
      ])
  }
}
