// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// A part of a program that closes descriptors which it has not opened, and opens files of its own
/// meanwhile. After each step, it checks that its own files have only its own bytes.
///
/// It closes the numbers of regular files and random numbers; never those of standard streams, and
/// never those of sockets, pipes and Dispatch.
final class DescriptorStorm {
  enum Kind: String {
    /// Closes numbers; its own files get the lowest free numbers.
    case close
    /// Puts its own files over the numbers, by dup2(2).
    case replace
  }

  /// A file of the storm's own.
  private struct OwnFile {
    let path: String
    var number: CInt = -1
    var device: dev_t = 0
    var file: ino_t = 0
    var bytes: [UInt8] = []
    /// The number over which the file was put; -1 if none.
    var other: CInt = -1

    func isBehind(_ number: CInt) -> Bool {
      var status = stat()
      return number >= 0 && fstat(number, &status) == 0 && status.st_dev == device
        && status.st_ino == file
    }
  }

  private static let mode = mode_t(0o640)

  private let kind: Kind
  private var files: [OwnFile]
  private var number = 0
  /// How many times a file of the storm's own had other bytes, another size or other permissions.
  private(set) var hits = 0
  /// How many times other code closed a descriptor of the storm's own.
  private(set) var closed = 0
  /// How many open descriptors of others were closed or replaced.
  private(set) var victims = 0

  init(kind: Kind, folder: String) {
    self.kind = kind
    files = (0..<6).map { OwnFile(path: "\(folder)/own.\($0)") }
  }

  /// Lets Dispatch open its descriptors: one for events and one for each clock of a timer.
  ///
  /// Otherwise Dispatch might take a number between the moment when the storm sees that it is free
  /// and the moment when the storm closes it, and the process would crash.
  static func prepare() async throws {
    try await Task.sleep(for: .milliseconds(1), clock: .suspending)
    try await Task.sleep(for: .milliseconds(1), clock: .continuous)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(wallDeadline: .now() + .milliseconds(1)) {
        continuation.resume()
      }
    }
  }

  func run(steps: Int) {
    for _ in 0..<steps { step() }
    for index in files.indices { letGo(of: index) }
  }

  private func step() {
    number += 1
    let index = number % files.count
    letGo(of: index)
    let victim = victim()
    if kind == .close, let victim, close(victim) == 0 { victims += 1 }
    open(index)
    if kind == .replace, let victim {
      if fcntl(victim, F_GETFD) >= 0 { victims += 1 }
      if dup2(files[index].number, victim) == victim { files[index].other = victim }
    }
    for index in files.indices where files[index].number >= 0 { check(index) }
  }

  /// The number of a regular file of others, or a random number.
  private func victim() -> CInt? {
    if Bool.random() {
      // Where other code opens files, and where logs keep them.
      let numbers = (Array(3..<24) + Array(512..<840)).filter { isOfOthers($0) }
      if let number = numbers.randomElement() { return number }
    }
    let any = CInt.random(in: 3..<1_024)
    return fcntl(any, F_GETFD) < 0 || isOfOthers(any) ? any : nil
  }

  private func isOfOthers(_ number: CInt) -> Bool {
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    return !files.contains { $0.file == status.st_ino && $0.device == status.st_dev }
  }

  private func letGo(of index: Int) {
    let file = files[index]
    for number in [file.number, file.other] where file.isBehind(number) { close(number) }
    files[index].number = -1
    files[index].other = -1
  }

  private func open(_ index: Int) {
    let number = Foundation.open(files[index].path, O_RDWR | O_CREAT | O_TRUNC, Self.mode)
    guard number >= 0 else { return }
    var status = stat()
    fchmod(number, Self.mode)
    fstat(number, &status)
    let bytes =
      Array("own \(self.number) ".utf8)
      + Array(repeating: UInt8(ascii: "x"), count: .random(in: 0..<200))
    files[index].bytes = bytes
    (files[index].device, files[index].file) = (status.st_dev, status.st_ino)
    // Other code may close the number before the bytes are written, and they go to another file.
    var written = stat()
    let isWhole =
      write(number, bytes, bytes.count) == bytes.count && stat(files[index].path, &written) == 0
      && written.st_ino == status.st_ino && written.st_size == bytes.count
    if isWhole { files[index].number = number } else { closed += 1 }
  }

  /// Compares the file with its own bytes, and writes these again if it differs.
  private func check(_ index: Int) {
    let own = files[index]
    if !own.isBehind(own.number) {
      closed += 1
      // The other number leads to the file, too.
      let reads = Foundation.open(own.path, O_RDWR)
      guard reads >= 0 else {
        files[index].number = -1
        return
      }
      files[index].number = reads
    }
    let number = files[index].number
    var status = stat()
    var found = [UInt8](repeating: 0, count: 4_096)
    fstat(number, &status)
    let count = pread(number, &found, found.count, 0)
    if count == own.bytes.count, Array(found[..<count]) == own.bytes,
      status.st_size == own.bytes.count, status.st_mode & 0o777 == Self.mode
    {
      return
    }
    hits += 1
    if hits <= 5 {
      let text = String(decoding: found[..<max(count, 0)].prefix(400), as: UTF8.self)
      FileHandle.standardError.write(
        Data("hit: \(own.path), \(status.st_size) bytes, mode \(status.st_mode): \(text)\n".utf8))
    }
    letGo(of: index)
    open(index)
  }
}
