// SPDX-License-Identifier: Apache-2.0

import Ambient
import TestSupport
import Testing

@Suite struct `Binary heap` {
  @Test(arguments: 0..<20)
  func `after random insertions and removals, a binary heap still returns elements in order`(
    seed: Int
  ) {
    var numbers = SeededNumbers(seed)
    var heap = BinaryHeap<Int>()
    var model: [Int] = []
    for step in 0..<400 {
      if Int.random(in: 0..<5, using: &numbers) < 3 {
        let number = Int.random(in: 0..<50, using: &numbers)
        heap.insert(number)
        model.append(number)
      } else {
        #expect(heap.first == model.min())
        heap.removeFirst()
        if let place = model.firstIndex(where: { $0 == model.min() }) { model.remove(at: place) }
      }
      if step == 200 {
        heap.keep { $0.isMultiple(of: 2) }
        model.removeAll { !$0.isMultiple(of: 2) }
      }
      #expect(heap.count == model.count)
    }
    for number in model.sorted() {
      #expect(heap.first == number)
      heap.removeFirst()
    }
    #expect(heap.first == nil)
  }

  /// In a process of its own, where an access beyond the elements ends that process alone.
  @Test func `a binary heap sorts every sequence of up to six small numbers`() async {
    await #expect(processExitsWith: .success) {
      for count in 0...6 {
        for code in 0..<(1 << (2 * count)) {
          let numbers = (0..<count).map { code >> (2 * $0) & 3 }
          var heap = BinaryHeap<Int>()
          for number in numbers { heap.insert(number) }
          var given: [Int] = []
          while let first = heap.first, given.count <= count {
            given.append(first)
            heap.removeFirst()
          }
          precondition(given == numbers.sorted() && heap.count == 0, "\(numbers): \(given)")
          heap.removeFirst()
          precondition(heap.count == 0 && heap.first == nil)
        }
      }
    }
  }
}
