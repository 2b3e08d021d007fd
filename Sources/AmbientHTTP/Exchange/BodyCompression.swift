internal import CCurl

/// How the body of a request is sent.
public enum BodyCompression: Hashable, Sendable {
  /// As it is.
  case none
  /// Compressed, with `Content-Encoding: gzip`, where that makes it shorter, from 1 KiB on.
  ///
  /// Where the system has no zlib, or the server does not take it, it is sent as it is, which is
  /// reported once.
  case gzip

  /// Whether the system has a zlib.
  public static var isAvailable: Bool { zlib != nil }

  /// A shorter body is one packet either way.
  private static var shortest: Int { 1_024 }

  #if canImport(Darwin)
    package static let library = "/usr/lib/libz.1.dylib"
  #else
    package static let library = "libz.so.1"
  #endif

  private static let zlib: ambient_zlib? = withUnsafeTemporaryAllocation(
    of: ambient_zlib.self, capacity: 1
  ) { place in
    // Valid: memory for one table, which is read only if all of it was written.
    guard let table = place.baseAddress, ambient_zlib_load(library, table) else { return nil }
    return table.pointee
  }

  /// Whether bytes are as many as are compressed.
  package func isWorth(_ bytes: [UInt8]) -> Bool {
    self == .gzip && bytes.count >= Self.shortest
  }

  /// The bytes in the format of gzip; nil where that makes them no shorter.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    guard var zlib else { return nil }
    let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
      // Valid: the memory of both arrays, for the time of the call.
      bytes.withUnsafeBufferPointer { bytes in
        guard let bytes = bytes.baseAddress, let start = room.baseAddress else { return }
        count = ambient_zlib_gzip(&zlib, bytes, room.count, start, room.count)
      }
    }
    return packed.isEmpty ? nil : packed
  }
}
