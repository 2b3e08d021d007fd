// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A terminal without a screen, to see what a program writes to one.
final class PseudoTerminal: Sendable {
  /// The program's end.
  let device: FileHandle
  private let screen: FileHandle

  init() throws {
    var numbers = (screen: CInt(-1), device: CInt(-1))
    guard openpty(&numbers.screen, &numbers.device, nil, nil, nil) == 0 else {
      throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
    }
    screen = FileHandle(fileDescriptor: numbers.screen, closeOnDealloc: true)
    device = FileHandle(fileDescriptor: numbers.device, closeOnDealloc: true)
  }

  /// What was written, once the writer has ended; a terminal holds 4 KiB for its reader.
  func text() -> String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    // Valid: the bytes are the array's own, for the time of the closure.
    let count = bytes.withUnsafeMutableBytes {
      read(screen.fileDescriptor, $0.baseAddress, $0.count)
    }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
