// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
  internal import CCrypt

  /// The password hashing of the C library.
  enum SystemCrypt {
    /// The identifier of SHA-512 crypt, which the crypt library of every Linux supports.
    static let scheme = "6"

    /// The setting followed by the digest of the password; nil for an invalid setting.
    static func digest(_ password: String, setting: String) -> String? {
      let size = MemoryLayout<crypt_data>.size
      let data = UnsafeMutableRawPointer.allocate(
        byteCount: size, alignment: MemoryLayout<crypt_data>.alignment)
      defer { data.deallocate() }
      data.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      // Valid: the memory is one `crypt_data`, zeroed as `crypt_r` demands, and not shared.
      // The answer points into this memory, and is copied before the memory is freed.
      let state = data.assumingMemoryBound(to: crypt_data.self)
      guard let answer = crypt_r(password, setting, state) else { return nil }
      let text = String(cString: answer)
      // On failure, some C libraries return a text that starts with a star; others return null.
      return text.hasPrefix("*") ? nil : text
    }
  }
#endif
