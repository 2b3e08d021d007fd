import Testing

@testable import AmbientCollectors

@Suite struct `Refusals that prove nothing yet` {
  private func part(_ name: String) -> UploadBatch { UploadBatch(group: name, overhead: 7) }

  @Test func `are kept until an event was accepted, and come again in their order`() {
    var refusals = UnprovenRefusals()
    #expect(refusals.refusal == nil)
    for name in ["a", "b"] {
      let isBlamed = refusals.blames(part(name), "no \(name)", detail: name, isLate: false)
      #expect(!isBlamed)
    }
    #expect(refusals.refusal?.reason == "no b" && refusals.refusal?.detail == "b")
    // The last one comes first.
    let again = refusals.noteAccepted()
    #expect(again.map(\.group) == ["b", "a"] && refusals.refusal == nil)
    let isBlamed = refusals.blames(part("c"), "no", detail: "", isLate: false)
    #expect(isBlamed && refusals.refusal == nil)
    let none = refusals.noteAccepted()
    #expect(none.isEmpty)
  }

  @Test func `are those that come long after the last acceptance, too`() {
    var refusals = UnprovenRefusals()
    _ = refusals.noteAccepted()
    let isBlamed = refusals.blames(part("a"), "no", detail: "why", isLate: true)
    #expect(!isBlamed && refusals.refusal?.reason == "no")
    let again = refusals.noteAccepted()
    #expect(again.map(\.group) == ["a"])
  }
}
