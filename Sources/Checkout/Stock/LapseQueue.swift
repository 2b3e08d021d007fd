/// A queue of names, ordered by the uptime at which each name lapses. It is a binary heap: adding
/// and removing a name take time in proportion to the logarithm of the number of names.
struct LapseQueue<Name: Sendable>: Sendable {
  private var heap: [(end: Duration, name: Name)] = []

  mutating func add(_ name: Name, end: Duration) {
    heap.append((end, name))
    var child = heap.count - 1
    while child > 0, heap[child].end < heap[(child - 1) / 2].end {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes and returns the name that lapses first, if it has lapsed by that uptime.
  mutating func next(at uptime: Duration) -> Name? {
    guard let first = heap.first, first.end <= uptime else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return first.name }
      let right = left + 1
      let least = right < heap.count && heap[right].end < heap[left].end ? right : left
      guard heap[least].end < heap[parent].end else { return first.name }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
