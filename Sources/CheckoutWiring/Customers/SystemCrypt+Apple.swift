// SPDX-License-Identifier: Apache-2.0

#if canImport(CommonCrypto)
  internal import CommonCrypto

  /// The password hashing of Apple's systems, with the same interface as the password hashing of
  /// the C library on Linux.
  enum SystemCrypt {
    static let scheme = "pbkdf2-sha512"

    /// The setting followed by the digest of the password; nil for an invalid setting.
    static func digest(_ password: String, setting: String) -> String? {
      // A setting is "$scheme$rounds=N$salt$". In a hash, the digest follows.
      let parts = setting.split(separator: "$", omittingEmptySubsequences: false)
      guard parts.count == 5, parts[0].isEmpty, parts[1] == scheme,
        parts[2].hasPrefix("rounds="), let rounds = UInt32(parts[2].dropFirst(7)), rounds > 0
      else { return nil }
      let salt = Array(parts[3].utf8)
      var digest = [UInt8](repeating: 0, count: 64)
      let status = CCKeyDerivationPBKDF(
        CCPBKDFAlgorithm(kCCPBKDF2), password, password.utf8.count, salt, salt.count,
        CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA512), rounds, &digest, digest.count)
      guard status == kCCSuccess else { return nil }
      let letters = Array("0123456789abcdef")
      let text = String(digest.flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] })
      return parts[..<4].joined(separator: "$") + "$" + text
    }
  }
#endif
