import Dispatch

/// Lets the first visitors pass when they are all there; later ones pass at once.
final class Gate: Sendable {
  private let arrived = Counter()
  private let opened = DispatchSemaphore(value: 0)
  private let expected: Int

  init(_ expected: Int) { self.expected = expected }

  func pass() {
    let place = arrived.next()
    guard place <= expected else { return }
    if place == expected {
      for _ in 1..<expected { opened.signal() }
    } else {
      opened.wait()
    }
  }
}
