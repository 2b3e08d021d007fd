// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Testing

@Suite struct `A secret` {
  private struct Holder: Hashable {
    @Secret var key: String
    @Secret var fields: [String: String]
    let name: String
  }

  private final class Keeper: Sendable {
    let secret: Secret<Holder>

    init(_ holder: Holder) { secret = Secret(wrappedValue: holder) }
  }

  @Test func `shows in no description, mirror or dump of what stores it`() {
    let holder = Holder(key: "hidden", fields: ["X-Key": "hidden"], name: "shown")
    let keeper = Keeper(holder)
    var text = "\(holder) \(String(reflecting: holder)) \([holder]) \(holder as Holder?) "
    text += "\(Mirror(reflecting: holder).children.map { "\($0)" }) \(keeper.secret)"
    dump(holder, to: &text)
    dump([holder], to: &text)
    var kept = ""
    dump(keeper, to: &kept)
    #expect(text.contains("shown") && text.contains("…"))
    #expect(!text.contains("hidden") && !text.contains("X-Key"), "\(text)")
    #expect(kept.contains("secret") && !kept.contains("hidden") && !kept.contains("shown"))
  }

  @Test func `is the value that it was given, and equal where that is`() {
    var holder = Holder(key: "a", fields: [:], name: "b")
    let other = holder
    #expect(holder == other && holder.key == "a")
    holder.key = "c"
    #expect(holder != other && holder.key == "c")
  }
}
