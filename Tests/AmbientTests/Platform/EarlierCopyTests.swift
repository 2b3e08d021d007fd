// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import CAmbient
  import Testing

  @Suite struct `Search for earlier copies` {
    @Test func `Ambient finds no earlier copy of itself in a program that links it once`() {
      var earlier = [CChar](repeating: 1, count: 100)
      var own = earlier
      #expect(!ambient_find_earlier_copy(&earlier, &own, own.count))
      // An empty path stands for the program.
      #expect(own.allSatisfy { $0 == 0 } && earlier.allSatisfy { $0 == 1 })
    }
  }
#endif
