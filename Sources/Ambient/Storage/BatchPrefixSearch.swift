/// Looks how much of a batch of lines stands in a file, after a write that may have been cut short.
///
/// A batch is written in one piece at the end of the file, so what is there of it is its beginning,
/// at the size that the file had, or later, behind what others have appended meanwhile.
struct BatchPrefixSearch {
  /// How many bytes of whole lines stand there.
  private(set) var whole = 0
  /// Where in the file these end.
  private(set) var end = 0
  /// How many bytes of the next line stand at the very end of the file.
  private(set) var torn = 0
  /// How many bytes the file had.
  let size: Int

  /// How much is read at once.
  private static let window = 1 << 20

  /// Searches the file from `start` on, where a line begins; on several beginnings the longest
  /// counts.
  init(for batch: UnsafeRawBufferPointer, in file: FileDescriptor, from start: Int) {
    size = file.size ?? 0
    var (place, isLine) = (start, true)
    while place < size, whole < batch.count {
      // Enough behind the window for a batch that begins at its end.
      let bytes = file.read(min(Self.window + batch.count, size - place), at: place)
      if bytes.isEmpty { return }
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

  /// Notes that so many bytes of the batch stand at the beginning of a line.
  private mutating func note(_ count: Int, of batch: UnsafeRawBufferPointer, at place: Int) {
    let lines = (batch[..<count].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    let reachesEnd = place + count == size
    guard lines > whole || whole == 0 && reachesEnd else { return }
    (whole, end, torn) = (lines, place + lines, reachesEnd ? count - lines : 0)
  }
}

extension UnsafeRawBufferPointer {
  /// How many bytes from that place on are the batch's first.
  fileprivate func match(_ batch: UnsafeRawBufferPointer, at place: Int) -> Int {
    var count = 0
    while count < batch.count, place + count < self.count, batch[count] == self[place + count] {
      count += 1
    }
    return count
  }

  /// Where the next line begins; nil if that is not among these bytes.
  fileprivate func end(ofLineFrom place: Int) -> Int? {
    self[place...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
  }
}
