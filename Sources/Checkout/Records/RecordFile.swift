// SPDX-License-Identifier: Apache-2.0

package import Ambient

/// A file of records that one process appends to, and reads back when it opens the file.
///
/// A line holds one record: its checksum and its length in hexadecimal digits, then its bytes. A
/// damaged record is recognized by its checksum; reading continues with the next line. If the last
/// line lacks its newline, the process was killed while it wrote the line. The line is dropped: the
/// call that appended it had not returned, so no caller counts on it. Thread-safe.
package final class RecordFile: Sendable {
  /// The contents of a file when it was opened.
  package struct Contents {
    /// The intact records, oldest first.
    package fileprivate(set) var records: [[UInt8]] = []
    /// The lines that are not intact records.
    package fileprivate(set) var damaged: [[UInt8]] = []
  }

  private struct State: ~Copyable {
    var file: OwnedDescriptor
    var size: Int
    /// The lock that is held as long as the file is open. It locks a separate file, since
    /// `replace(by:)` replaces the file of the records.
    var lock: FileLock
  }

  /// The path of the file.
  package let path: String
  private let state: Guarded<State>

  /// Opens the file for this process alone; makes it if it is missing.
  ///
  /// - Throws: The system's error; `EAGAIN` if another process has the file open.
  package static func open(
    _ path: String
  ) throws(SystemError) -> (file: RecordFile, contents: Contents) {
    let lock = try lock(path)
    try FileSystem.removeHalves(of: path)
    let file = OwnedDescriptor(try FileDescriptor.made(path, permissions: 0o600))
    let (contents, end) = try repairedContents(of: file.safe)
    return (RecordFile(FileSystem.absolute(path), file, size: end, lock), contents)
  }

  private init(
    _ path: String, _ file: OwnedDescriptor, size: Int, _ lock: consuming FileLock
  ) {
    self.path = path
    state = Guarded(State(file: file, size: size, lock: lock))
  }

  private static func lock(_ path: String) throws(SystemError) -> FileLock {
    let lock = try FileLock.take(path + ".lock", mode: 0o600)
    guard let lock else { throw SystemError.inUse }
    return lock
  }

  /// The file's size in bytes.
  package var size: Int { state.withLock { $0.size } }

  /// Appends a record, wholly or not at all. Once this has returned, the record survives the death
  /// of the process.
  ///
  /// - Parameter isSynced: Whether to wait until the record is on the disk, so that it survives a
  ///   loss of power.
  package func append(_ record: [UInt8], isSynced: Bool) throws(SystemError) {
    let line = Self.line(record)
    try state.withLock { state throws(SystemError) in
      let file = try descriptor(of: &state)
      do throws(SystemError) {
        try file.write(line, at: state.size)
        if isSynced { try file.synchronize() }
      } catch {
        state.file.checked?.truncate(to: state.size)
        throw error
      }
      state.size += line.count
    }
  }

  /// The descriptor of the file. The file is opened again, and locked again, if other code has
  /// closed their descriptors.
  private func descriptor(of state: inout State) throws(SystemError) -> FileDescriptor {
    if !state.lock.isHeld { state.lock = try Self.lock(path) }
    if let file = state.file.checked { return file }
    let again = OwnedDescriptor(try FileDescriptor.existing(path, toWrite: true))
    guard again.identity == state.file.identity else { throw SystemError.inUse }
    state.file = again
    return state.file.unchecked
  }

  /// Replaces the file by a file with these records. If the process is killed meanwhile, or the
  /// disk is full, the file stays unchanged.
  package func replace(by records: [[UInt8]]) throws(SystemError) {
    let lines = records.flatMap(Self.line)
    try state.withLock { state throws(SystemError) in
      // `replacing` returns the new file still open. If the new file had to be opened again, and
      // the opening failed, later records would be appended to the old, replaced file.
      let file = OwnedDescriptor(try FileSystem.replacing(path, by: lines, isDurable: true))
      state.file = file
      state.size = lines.count
    }
  }

  /// Appends the lines unchanged to the file `path` with the ending `.damaged`, where a person can
  /// inspect them.
  ///
  /// - Returns: The path of that file.
  package func setAside(_ lines: [[UInt8]]) throws(SystemError) -> String {
    let aside = path + ".damaged"
    let file = try FileDescriptor.made(aside, permissions: 0o600)
    defer { file.close() }
    try file.write(lines.flatMap { $0 + [Self.newline] }, at: try file.checkedSize)
    return aside
  }

  private static let newline = UInt8(ascii: "\n")
  /// The size of a record's head: 16 digits of the checksum, a space, 8 digits of the count, and a
  /// space.
  private static let headSize = 16 + 1 + 8 + 1

  private static func line(_ record: [UInt8]) -> [UInt8] { head(record[...]) + record + [newline] }

  private static func head(_ record: ArraySlice<UInt8>) -> [UInt8] {
    Array("\(hex(StableDigest(record).high, 16)) \(hex(UInt64(record.count), 8)) ".utf8)
  }

  private static func hex(_ number: UInt64, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }

  /// Reads the file, and cuts off an incomplete line at its end. Returns the records, and the
  /// offset at which the next record is appended.
  static func repairedContents(
    of file: FileDescriptor
  ) throws(SystemError) -> (contents: Contents, end: Int) {
    let bytes = try file.read(file.checkedSize, at: 0)
    let (contents, end) = read(bytes)
    if end < bytes.count { file.truncate(to: end) }
    return (contents, end)
  }

  /// The records in the bytes, and the offset at which the next record is appended.
  private static func read(_ bytes: [UInt8]) -> (Contents, end: Int) {
    var contents = Contents()
    var place = 0
    while place < bytes.count {
      if let record = record(in: bytes[place...]) {
        contents.records.append(Array(record))
        place = record.endIndex + 1
      } else if let end = bytes[place...].firstIndex(of: newline) {
        contents.damaged.append(Array(bytes[place..<end]))
        place = end + 1
      } else {
        return (contents, place)
      }
    }
    return (contents, place)
  }

  /// The record at the beginning of the bytes; nil if it is damaged or not whole.
  private static func record(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let head = String(decoding: bytes.prefix(headSize), as: UTF8.self).split(separator: " ")
    guard head.count == 2, let count = Int(head[1], radix: 16), count >= 0,
      count < bytes.count - headSize
    else { return nil }
    let record = bytes.dropFirst(headSize).prefix(count)
    return bytes.starts(with: Self.head(record)) ? record : nil
  }
}
