// SPDX-License-Identifier: Apache-2.0

/// The shortest text that reads back as the same number, stored without allocating.
struct NumberText: TextOutputStream {
  private var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private var count = 0

  init(_ value: Double) { value.withOneNaN.write(to: &self) }

  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeBytes(of: bytes) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  mutating func write(_ string: String) {
    string.withBytes { _writeASCII($0.assumingMemoryBound(to: UInt8.self)) }
  }

  /// Appends one piece of text, of at most 24 bytes. The standard library calls this when it
  /// formats the number.
  mutating func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) {
    let start = count
    withUnsafeMutableBytes(of: &bytes) { bytes in
      for (offset, byte) in text.enumerated() where start + offset < bytes.count {
        bytes[start + offset] = byte
      }
    }
    count = min(start + text.count, 32)
  }
}

extension FloatingPoint {
  /// This number, but `.nan` for every NaN, because the standard library describes other NaNs as
  /// `snan` or `nan(0x7)`.
  @inline(__always)
  var withOneNaN: Self { isNaN ? .nan : self }
}
