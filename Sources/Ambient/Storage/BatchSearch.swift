/// Looks how much of a batch of lines stands in a file, after a write that may have been cut short.
///
/// A batch is written in one piece at the end of the file, so what is there of it is its beginning,
/// at the size that the file had, or later, behind what others have appended meanwhile.
struct BatchSearch {
  /// How many bytes of whole lines stand there.
  private(set) var whole = 0
  /// Where in the file these end.
  private(set) var end = 0
  /// How many bytes of the next line stand at the very end of the file.
  private(set) var torn = 0
  /// How many bytes the file had.
  private(set) var size = 0

  /// How much is read at once.
  private static let window = 1 << 20

  /// Searches the file from `start` on, where a line begins; on several beginnings the longest
  /// counts.
  init(for batch: UnsafeRawBufferPointer, in file: FileDescriptor, from start: Int) {
    let line = batch.firstLine
    size = file.size ?? 0
    guard line.count > 0, start <= size else { return }
    var place = start
    while place < size {
      // Enough behind the window for a batch that begins at its end.
      let bytes = file.read(min(Self.window + batch.count, size - place), at: place)
      if bytes.isEmpty { return }
      let isLast = place + bytes.count >= size
      bytes.withUnsafeBytes {
        search($0, at: place, isFirst: place == start, for: batch, line, isLast: isLast)
      }
      if isLast || whole == batch.count { return }
      // Less by a line, so that one across two windows is found.
      place += max(1, min(Self.window, bytes.count - line.count))
    }
  }

  private mutating func search(
    _ bytes: UnsafeRawBufferPointer, at origin: Int, isFirst: Bool,
    for batch: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer, isLast: Bool
  ) {
    var place = 0
    while let start = bytes.place(ofLineStartingWith: line, from: place, beginsLine: isFirst) {
      note(
        bytes.match(batch, at: start), in: batch, at: origin + start,
        reachesEnd: isLast ? bytes.count - start : nil)
      if whole == batch.count { return }
      place = start + line.count
    }
    guard isLast, whole == 0 else { return }
    // Less than a line: whatever stands behind the last newline.
    let last = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    let count = bytes.match(batch, at: last)
    if count > 0, last + count == bytes.count { torn = count }
  }

  private mutating func note(
    _ count: Int, in batch: UnsafeRawBufferPointer, at place: Int, reachesEnd rest: Int?
  ) {
    let found = UnsafeRawBufferPointer(rebasing: batch[..<count])
    let lines = (found.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    guard lines > whole else { return }
    (whole, end) = (lines, place + lines)
    torn = rest == count ? count - lines : 0
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes up to the first newline, and that.
  fileprivate var firstLine: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: self[..<(firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? count)])
  }

  /// How many bytes from that place on are the batch's first.
  fileprivate func match(_ batch: UnsafeRawBufferPointer, at place: Int) -> Int {
    var count = 0
    while count < batch.count, place + count < self.count, batch[count] == self[place + count] {
      count += 1
    }
    return count
  }

  /// Where the line stands, after a newline, or at the beginning of these bytes if a line begins
  /// there.
  fileprivate func place(
    ofLineStartingWith line: UnsafeRawBufferPointer, from start: Int, beginsLine: Bool
  ) -> Int? {
    var place = start
    while place + line.count <= count {
      if place == 0 ? beginsLine : self[place - 1] == UInt8(ascii: "\n"),
        match(line, at: place) == line.count
      {
        return place
      }
      guard
        let newline = UnsafeRawBufferPointer(rebasing: self[place...])
          .firstIndex(of: UInt8(ascii: "\n"))
      else { return nil }
      place += newline + 1
    }
    return nil
  }
}
