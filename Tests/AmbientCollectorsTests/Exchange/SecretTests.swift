// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Testing

@Suite struct `Secret property wrapper` {
  private struct Holder: Hashable {
    @Secret var key: String
    @Secret var fields: [String: String]
    let name: String
  }

  private final class Keeper: Sendable {
    let secret: Secret<Holder>

    init(_ holder: Holder) { secret = Secret(wrappedValue: holder) }
  }

  @Test func `the value of a Secret property isn't shown in descriptions, mirrors or dumps`() {
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

  @Test func `a Secret property returns the wrapped value and is compared by that value`() {
    var holder = Holder(key: "a", fields: [:], name: "b")
    let other = holder
    #expect(holder == other && holder.key == "a")
    holder.key = "c"
    #expect(holder != other && holder.key == "c")
  }
}
