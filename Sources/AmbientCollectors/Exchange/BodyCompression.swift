// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// The compression of a request's body.
@nonexhaustive
public enum BodyCompression: Hashable, Sendable {
  /// No compression: the body is sent unchanged, and no `Content-Encoding` is added.
  case identity
  /// Compression with `Content-Encoding: gzip`, for bodies of 1 KiB or more that become shorter.
  ///
  /// A request with its own `Content-Encoding` stays unchanged. If the system has no zlib, or the
  /// server rejects gzip but accepts the uncompressed body, later bodies are sent uncompressed;
  /// each client reports this once.
  case gzip

  /// Whether the system has a zlib.
  package static var isAvailable: Bool { zlib != nil }

  /// The size in bytes of the shortest body that is compressed. A shorter body fits into one packet
  /// even without compression.
  private static var shortest: Int { 1_024 }

  #if canImport(Darwin)
    package static let library = "/usr/lib/libz.1.dylib"
  #else
    package static let library = "libz.so.1"
  #endif

  private static let zlib: ambient_zlib? = withUnsafeTemporaryAllocation(
    of: ambient_zlib.self, capacity: 1
  ) { place in
    // Valid: the memory holds one table, and the table is read only after all of it was written.
    guard let table = place.baseAddress, ambient_zlib_load(library, table) else { return nil }
    return table.pointee
  }

  /// Whether to try to compress a body: gzip is chosen, and the body is long enough.
  package func isWorth(_ bytes: [UInt8]) -> Bool {
    self == .gzip && bytes.count >= Self.shortest
  }

  /// The bytes in the format of gzip; nil if the result is not shorter, or the system has no zlib.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    guard var zlib else { return nil }
    let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
      // Valid: both arrays keep their memory for the time of the call.
      bytes.withUnsafeBufferPointer { bytes in
        guard let bytes = bytes.baseAddress, let start = room.baseAddress else { return }
        count = ambient_zlib_gzip(&zlib, bytes, room.count, start, room.count)
      }
    }
    return packed.isEmpty ? nil : packed
  }
}
