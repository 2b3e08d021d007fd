// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Ambient

@Suite struct `Context messages` {
  @Test func `messages about contexts equal those in messages.txt`() throws {
    let unknown = CallerTrace.Names()
    let late = LateAssignment(name: "Log", reader: CallerTrace([]), setter: CallerTrace([]))
    let report = late.diagnostic(unknown)
    #expect(report.kind == .lateAssignment && report.source == "Log.instance")
    let lines = report.message.split(separator: "\n")
    #expect(lines.count == 4)
    let reports = Reports()
    Diagnostics.withInstance(reports) { Strictness.check("perhaps\n🛒") }
    try MessageCatalog.expect(
      "Ambient, contexts",
      [
        // The lines between have the paths of this program.
        "A late assignment in a test": "\(lines[0])\n\(lines[3])",
        "Defaults that read each other": DefaultsInMaking.text(ofCycle: ["Log", "Flags", "Log"]),
        "A fork": ProcessWarnings.textOfFork,
        "A second copy": ProcessWarnings.text(ofCopies: "the program", "/usr/lib/libShop.so"),
        "An invalid AMBIENT_STRICT": try #require(reports.all.first).description,
        "Nested calls": RecursionLimit.text,
        "A log that discards records":
          DiscardingSubclass.text("records", "write(_ record: LogRecord)"),
        "A late service": AmbientScope.lateness(.seconds(5)),
      ])
  }

  @Test func `text inside a report on standard error can't look like the start of another report`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      for text in Hostile.texts {
        Diagnostics().report(Diagnostic(.warned, source: text, "\(text) журнал 🛒"))
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    // Lines after the first of a report are indented.
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("Ambient: ") || $0.hasPrefix("  ") }, "\(text)")
    #expect(!text.contains("\u{1B}"))
  }
}
