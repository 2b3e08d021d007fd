#if canImport(Glibc) || canImport(Musl)
  internal import CCrypt

  /// The password hashing of the C library.
  enum SystemCrypt {
    /// SHA-512 crypt, which every Linux has.
    static let scheme = "6"

    /// The setting, and behind it what it makes of the password; nil if it is no setting.
    static func digest(_ password: String, setting: String) -> String? {
      let size = MemoryLayout<crypt_data>.size
      let data = UnsafeMutableRawPointer.allocate(
        byteCount: size, alignment: MemoryLayout<crypt_data>.alignment)
      defer { data.deallocate() }
      data.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      // Valid: the memory is one `crypt_data`, all zero as the function wants it, and ours alone;
      // the answer lies in it and is copied before it goes.
      let state = data.assumingMemoryBound(to: crypt_data.self)
      guard let answer = crypt_r(password, setting, state) else { return nil }
      let text = String(cString: answer)
      // Some C libraries say by a star what others say by null.
      return text.hasPrefix("*") ? nil : text
    }
  }
#endif
