// SPDX-License-Identifier: Apache-2.0

/// Texts that try to leave their line.
package enum Hostile {
  package static let texts = [
    "Ada\n2026-11-27T05:00:00.000000Z info     admin signed in", "a\r\nb\tc\u{B}\u{C}",
    "\u{1B}[2J\u{1B}]0;title\u{7}", "nul \u{0} delete \u{7F} next line \u{85}",
    "\u{2028}\u{2029}\u{202E}evil\u{202C} \u{61C} é 🛒", "quote \" backslash \\ \\n = {\"a\":1}",
    "\u{200B}\u{2060}\u{FEFF}\u{AD}\u{FFF9}\u{3164}\u{E0041}", "level=critical \u{200D}user=bob",
  ]

  package static let lineEnds: [Unicode.Scalar] = [
    "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\u{1B}", "\u{0}", "\u{202E}",
    "\u{61C}", "\u{200B}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{FFF9}", "\u{3164}",
    "\u{E0041}",
  ]
}
