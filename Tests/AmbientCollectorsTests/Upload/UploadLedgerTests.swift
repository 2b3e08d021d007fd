import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.quiet) struct `What an uploader has lost` {
  private struct Nowhere: Destination {
    let name = "Nowhere"
    let limits = RequestLimits(events: 1, bytes: 1)
    func entry(for record: [UInt8], now: Date) -> Entry { Entry(record) }
    func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
      OutgoingRequest("POST", URL(filePath: "/"), body: [])
    }
  }

  private struct Unnoted: DeliveryNotes {
    func note(_ trouble: DeliveryTrouble?) {}
    func hasAccepted(_ target: String) -> Bool { false }
    func noteAccepted(_ target: String) {}
  }

  private let ledger: UploadLedger

  init() {
    ledger = UploadLedger(
      Nowhere(), noun: "event", .capture(), Unnoted())
  }

  @Test func `has 32 reasons at most, and further ones are one`() {
    for number in 0..<40 { ledger.noteLost(2, "reason \(number)", detail: "") }
    #expect(ledger.lost.count == 33 && ledger.lost["other reasons"] == 16)
    #expect((0..<32).allSatisfy { ledger.lost["reason \($0)"] == 2 })
    // Each is reported once.
    ledger.noteLost(1, "reason 0", detail: "")
    ledger.noteLost(1, "reason 50", detail: "")
    #expect(ledger.lost["reason 0"] == 3 && ledger.lost["other reasons"] == 17)
    #expect(Test.reports.count == 33)
  }

  @Test func `is taken back from its reason, and one of which nothing is left is none`() {
    for number in 0..<40 { ledger.noteLost(2, "reason \(number)", detail: "") }
    ledger.takeBack(lost: 1, "reason 0")
    ledger.takeBack(lost: 2, "reason 1")
    ledger.takeBack(lost: 3, "reason 2")
    ledger.takeBack(lost: 0, "reason 3")
    #expect(ledger.lost["reason 0"] == 1 && ledger.lost["reason 3"] == 2)
    #expect(ledger.lost["reason 1"] == nil && ledger.lost["reason 2"] == nil)
    ledger.takeBack(lost: 15, "reason 39")
    #expect(ledger.lost["other reasons"] == 1)
    ledger.takeBack(lost: 1, "reason 38")
    #expect(ledger.lost["other reasons"] == nil && ledger.lost.count == 30)
  }
}
