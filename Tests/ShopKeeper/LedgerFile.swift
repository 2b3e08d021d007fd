// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

/// A payment service in a file, which outlives the shop's program and fails at random.
actor LedgerFile: PaymentService {
  /// A charge or, negative, a refund.
  struct Line: Codable {
    let reference: String
    let payment: String
    let minorUnits: Int64
  }

  private let file: RecordFile
  private(set) var lines: [Line]
  private let isReliable: Bool

  init(_ path: String, isReliable: Bool) throws {
    let (file, contents) = try RecordFile.open(path)
    self.file = file
    self.isReliable = isReliable
    lines = try contents.records.map { try JSONDecoder().decode(Line.self, from: Data($0)) }
  }

  func charge(_ charge: Charge, to method: PaymentMethod) async throws(PaymentError) -> Payment {
    try stumble()
    if let known = lines.first(where: { $0.reference == charge.reference }) {
      return Payment(known.payment, amount: Money(minorUnits: known.minorUnits, .usd))
    }
    if !isReliable, Int.random(in: 0..<8) == 0 { throw .declined }
    let payment = Payment("payment-\(lines.count)", amount: charge.amount)
    try write(
      Line(
        reference: charge.reference, payment: payment.name, minorUnits: charge.amount.minorUnits))
    try stumble()
    return payment
  }

  func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome {
    try stumble()
    guard let known = lines.first(where: { $0.reference == reference }) else { return .notCharged }
    return .charged(Payment(known.payment, amount: Money(minorUnits: known.minorUnits, .usd)))
  }

  func refund(
    _ amount: Money, of payment: String, reference: String
  ) async throws(PaymentError) {
    try stumble()
    if lines.contains(where: { $0.reference == reference }) { return }
    if !isReliable, Int.random(in: 0..<8) == 0 { throw .declined }
    try write(Line(reference: reference, payment: payment, minorUnits: -amount.minorUnits))
    try stumble()
  }

  private func write(_ line: Line) throws(PaymentError) {
    do {
      try file.append(Array(JSONEncoder().encode(line)), isSynced: false)
      lines.append(line)
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Takes its time, and is not reached now and then.
  private func stumble() throws(PaymentError) {
    guard !isReliable else { return }
    usleep(.random(in: 0..<2_000))
    if Int.random(in: 0..<10) == 0 { throw .unavailable("down") }
  }
}
