// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ambient_demo

@Suite struct `Results of commands` {
  private struct Named: CommandResult, Decodable, Equatable {
    let name: String

    func text(style: Style) -> String { name }
  }

  @Test(arguments: [
    "\u{202E}", "\u{85}\u{9B}2J", "\u{7F}", "\u{FEFF}\u{200B}", "\u{E0067}", "\n\u{1B}[31m",
  ])
  func `JSON escapes characters that are invisible or steer a terminal`(text: String) throws {
    let named = Named(name: "a\(text)б")
    let json = try named.json()
    #expect(
      json.dropLast().unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) || $0 == "б" })
    #expect(json.hasSuffix("\n"))
    #expect(try JSONDecoder().decode(Named.self, from: Data(json.utf8)) == named)
  }
}
