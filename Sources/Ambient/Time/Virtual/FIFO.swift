/// A queue: first in, first out, in constant time on average.
struct FIFO<Element> {
  private var elements: [Element] = []
  private var head = 0
  /// How many have been taken out so far.
  private(set) var taken: UInt64 = 0

  var isEmpty: Bool { head == elements.count }

  /// How many have been put in so far.
  var added: UInt64 { taken + UInt64(elements.count - head) }

  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head]
    head += 1
    taken += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 4_096, head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}
