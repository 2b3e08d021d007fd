// SPDX-License-Identifier: Apache-2.0

/// Finds how much of a batch of lines is in a file, after a write that may have been cut short.
///
/// A batch is appended in one piece, so an interrupted write leaves a prefix of the batch. The
/// prefix starts where the file ended before the write, or later, if other writers appended in
/// between.
struct PartialWriteSearch {
  /// The number of bytes of the batch's whole lines that were found in the file.
  private(set) var whole = 0
  /// The offset in the file at which the found lines end.
  private(set) var end = 0
  /// The number of bytes of the batch's next line that were found after the whole lines, at the
  /// very end of the file.
  private(set) var torn = 0
  /// The file's size in bytes when the search began.
  let size: Int

  /// The number of bytes that the search reads at once.
  private static let window = 1 << 20

  /// Searches the file from `start`, where a line begins. If prefixes of the batch are found at
  /// several places, the one with the most whole lines counts.
  init(for batch: UnsafeRawBufferPointer, in file: FileDescriptor, from start: Int) {
    size = file.size ?? 0
    var (place, isLine) = (start, true)
    while place < size, whole < batch.count {
      // Each read extends beyond the window, so that a batch that begins at the window's end is
      // read whole. If a read fails, the search ends, and the caller writes the lines that were not
      // found.
      let bytes = try? file.read(min(Self.window + batch.count, size - place), at: place)
      guard let bytes, !bytes.isEmpty else { return }
      bytes.withUnsafeBytes { bytes in
        var line = isLine ? 0 : bytes.end(ofLineFrom: 0)
        while let next = line, next < Self.window, whole < batch.count {
          note(bytes.match(batch, at: next), of: batch, at: place + next)
          line = bytes.end(ofLineFrom: next)
        }
        isLine = line != nil
        place += line ?? bytes.count
      }
    }
  }

  /// Records a match: the first `count` bytes of the batch are at `place`, where a line begins.
  ///
  /// The match replaces the previous one if it has more whole lines. A match without a whole line
  /// counts only if it reaches the end of the file, and if no match with a whole line was found.
  private mutating func note(_ count: Int, of batch: UnsafeRawBufferPointer, at place: Int) {
    let lines = (batch[..<count].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    let reachesEnd = place + count == size
    guard lines > whole || whole == 0 && reachesEnd else { return }
    (whole, end, torn) = (lines, place + lines, reachesEnd ? count - lines : 0)
  }
}

extension UnsafeRawBufferPointer {
  /// The number of bytes from `place` on that equal the batch's first bytes.
  fileprivate func match(_ batch: UnsafeRawBufferPointer, at place: Int) -> Int {
    var count = 0
    while count < batch.count, place + count < self.count, batch[count] == self[place + count] {
      count += 1
    }
    return count
  }

  /// The offset after the first newline from `place` on; nil if no newline follows.
  fileprivate func end(ofLineFrom place: Int) -> Int? {
    self[place...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
  }
}
