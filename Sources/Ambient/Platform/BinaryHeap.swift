// SPDX-License-Identifier: Apache-2.0

/// A binary heap: adding an element, and removing the smallest, take time in proportion to the
/// logarithm of the number of elements.
///
/// The heap is inlinable, so that other modules specialize it for their elements. An unspecialized
/// insertion allocates memory.
@usableFromInline package struct BinaryHeap<Element: Comparable> {
  @usableFromInline var elements: [Element] = []

  @inlinable package init() {}

  /// The smallest element.
  @inlinable package var first: Element? { elements.first }

  @inlinable package var count: Int { elements.count }

  @inlinable
  package mutating func insert(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0, case let parent = (index - 1) / 2, element < elements[parent] {
      elements[index] = elements[parent]
      index = parent
    }
    elements[index] = element
  }

  /// Removes the smallest element, if there is one.
  @inlinable
  package mutating func removeFirst() {
    guard let element = elements.popLast(), !elements.isEmpty else { return }
    var index = 0
    while case var child = 2 * index + 1, child < elements.count {
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < element else { break }
      elements[index] = elements[child]
      index = child
    }
    elements[index] = element
  }

  /// Removes the elements that do not satisfy the condition.
  package mutating func keep(where isKept: (Element) -> Bool) {
    // A sorted array is a valid heap.
    elements = elements.filter(isKept).sorted()
  }
}

extension BinaryHeap: Sendable where Element: Sendable {}
