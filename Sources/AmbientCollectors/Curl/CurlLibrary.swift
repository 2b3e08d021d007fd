// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  internal import Ambient
  package import CCurl

  /// One of this system's libcurl libraries, loaded and initialized (curl_global_init).
  package final class CurlLibrary: Sendable {
    /// The file names of libcurl's default variant (OpenSSL on most systems) and of Debian's
    /// variant with GnuTLS.
    package static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    /// The oldest supported version: 7.54, the first with SUPPRESS_CONNECT_HEADERS.
    private static let oldest: UInt32 = 0x07_36_00
    /// The loaded libraries by name. The lock also serializes global_init, which is not thread-safe
    /// before version 7.84.
    private static let known = Guarded<[String: CurlLibrary]>([:])

    package let table: ambient_curl

    /// Creates a library from the caller's table of functions.
    package init(_ table: ambient_curl) { self.table = table }

    /// The first library in `names` that the system has and that can be used.
    ///
    /// - Throws: ``CollectorError`` if no library can be used, or if the program runs with more
    ///   rights than its caller.
    package static func system(
      _ names: [String] = names, isPrivileged: Bool = Environment.isPrivileged
    ) throws(CollectorError) -> CurlLibrary {
      guard !isPrivileged else { throw .privileged }
      return try known.withLock { known throws(CollectorError) in
        var fault = CollectorError.noLibrary(names: names)
        for name in names {
          if let library = known[name] { return library }
          do throws(CollectorError) {
            guard let library = try load(name) else { continue }
            known[name] = library
            return library
          } catch { fault = error }
        }
        throw fault
      }
    }

    private static func load(_ name: String) throws(CollectorError) -> CurlLibrary? {
      guard let table = loaded(name) else { return nil }
      return try CurlLibrary(starting: table)
    }

    /// Starts a library.
    ///
    /// - Throws: ``CollectorError`` if the library is too old, or does not start.
    package convenience init(starting table: ambient_curl) throws(CollectorError) {
      self.init(table)
      guard number >= Self.oldest else { throw .unusable(version: version) }
      // The argument 3 is CURL_GLOBAL_DEFAULT.
      guard table.global_init(3) == 0 else { throw .notStarted(version: version) }
    }

    /// Loads all functions; nil if there is no such library, or if it lacks one of them.
    private static func loaded(_ name: String) -> ambient_curl? {
      withUnsafeTemporaryAllocation(of: ambient_curl.self, capacity: 1) { place in
        // Valid: `table` points to memory for one table, which is read only if
        // `ambient_curl_load` has written all of it.
        guard let table = place.baseAddress, ambient_curl_load(name, table) else { return nil }
        return table.pointee
      }
    }

    // Valid: the structure of `version_info` belongs to the library, which never frees it.
    private var number: UInt32 { table.version_info(0)?.pointee.number ?? 0 }
    private var version: String {
      table.version_info(0)?.pointee.name.map { String(cString: $0) } ?? ""
    }

    /// The library's own text for a result code.
    func words(_ code: CInt) -> String {
      // Valid: the text is a constant of the library.
      table.strerror(code).map { String(cString: $0) } ?? ""
    }
  }
#endif
