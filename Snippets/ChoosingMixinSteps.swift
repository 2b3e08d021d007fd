// SPDX-License-Identifier: Apache-2.0

// The second step to a dependency mixin: a protocol takes the name of the class.

// snippet.mixin-protocol
protocol Printer: Sendable {
  func ticket(for name: String) -> String
}

struct StandardPrinter: Printer {
  func ticket(for name: String) -> String { "ticket for \(name)" }
}

protocol RequiresPrinter {
  var printer: any Printer { get }
}

extension RequiresPrinter {
  var printer: any Printer { StandardPrinter() }
}

struct Booth: RequiresPrinter {  // as before
  func sell(to name: String) -> String { printer.ticket(for: name) }
}
// snippet.end

precondition(Booth().sell(to: "Ada") == "ticket for Ada")
