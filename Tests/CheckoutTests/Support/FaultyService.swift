// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

/// A service in memory that fails as a test says.
final class FaultyService: BasketService {
  enum Fault: Sendable {
    /// Nothing is done.
    case unreachable
    /// The change is made, and the answer is lost.
    case lostAnswer
    /// There is no answer to anything before all are let go.
    case hang
    /// It answers with that basket.
    case lie(Basket)
  }

  private struct State {
    var fault: Fault?
    var calls: [String] = []
    var hanging: [CheckedContinuation<Void, Never>] = []
  }

  private let kept = MemoryBasketService()
  private let state = Guarded(State())

  var fault: Fault? {
    get { state.withLock { $0.fault } }
    set { state.withLock { $0.fault = newValue } }
  }

  /// The changes that were asked for, oldest first.
  var calls: [String] { state.withLock { $0.calls } }

  func letGo() {
    for continuation in state.withLock({ $0.hanging }) { continuation.resume() }
  }

  func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? {
    try await fail()
    if case .lie(let basket) = fault { return basket }
    return kept.fetch(id)
  }

  func append(
    _ lines: [BasketLine], coupon: String?, to id: UUID
  ) async throws(BasketServiceError) {
    note("append", lines, coupon)
    try await fail()
    try kept.append(lines, coupon: coupon, to: id)
    if case .lostAnswer = fault { throw .unavailable("no answer") }
  }

  func remove(
    _ lines: [BasketLine], coupon: String?, from id: UUID
  ) async throws(BasketServiceError) {
    note("remove", lines, coupon)
    try await fail()
    kept.remove(lines, coupon: coupon, from: id)
    if case .lostAnswer = fault { throw .unavailable("no answer") }
  }

  private func note(_ name: String, _ lines: [BasketLine], _ coupon: String?) {
    let words = lines.map { "\($0.quantity) \($0.sku)" } + [coupon].compactMap(\.self)
    state.withLock { $0.calls.append(([name] + words).joined(separator: " ")) }
  }

  private func fail() async throws(BasketServiceError) {
    switch fault {
    case .unreachable: throw .unavailable("down")
    case .hang:
      await withCheckedContinuation { continuation in
        state.withLock { $0.hanging.append(continuation) }
      }
    default: break
    }
  }
}
