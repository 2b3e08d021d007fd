// SPDX-License-Identifier: Apache-2.0

/// A digest of 128 bits that is the same in every process. It makes keys for destinations that
/// limit the length of keys, or require a certain form such as a UUID. It does not protect secrets.
///
/// The upper half is FNV-1a (64 bits). The lower half is the same function with another initial
/// value and another factor, combined with the upper half. Each half is mixed by ``SplitMix64``.
package struct StableDigest: Hashable {
  /// The upper half, FNV-1a after mixing, for callers that need only 64 bits.
  package let high: UInt64
  private let low: UInt64

  package init(_ bytes: some Sequence<UInt8>) {
    var first: UInt64 = 0xCBF2_9CE4_8422_2325
    var second: UInt64 = 0x9E37_79B9_7F4A_7C15
    for byte in bytes {
      first = (first ^ UInt64(byte)) &* 0x100_0000_01B3
      second = (second ^ UInt64(byte)) &* 0xD129_42F0_85C1_8E4D
    }
    // The halves are mixed, since the upper bits of FNV-1a hardly depend on the last bytes.
    high = SplitMix64.mixed(first)
    low = SplitMix64.mixed(second ^ high)
  }

  /// The digest in the form of a UUID of version 4 (RFC 9562, 5.4), in lower case.
  package var uuid: String {
    let time = Self.hex(high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000)
    let node = Self.hex(low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    let parts = [
      time.prefix(8), time.dropFirst(8).prefix(4), time.suffix(4), node.prefix(4), node.suffix(12),
    ]
    return parts.joined(separator: "-")
  }

  /// The last `count` hexadecimal digits of the digest.
  package func digits(_ count: Int) -> String {
    String((Self.hex(high) + Self.hex(low)).suffix(count))
  }

  private static func hex(_ value: UInt64) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
