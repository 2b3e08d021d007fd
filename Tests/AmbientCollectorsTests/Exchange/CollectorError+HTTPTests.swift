// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Testing

@Suite struct `HTTP client errors` {
  @Test func `an HTTP client error has the code noHTTP or certificate`() {
    let withoutHTTP: [CollectorError] = [
      .noLibrary(names: []), .unusable(version: "7"), .notStarted(version: "8"), .privileged,
    ]
    let ofCertificates: [CollectorError] = [
      .unreadable(path: "/a"), .encryptedKey(path: "/a"), .filesUnsupported,
    ]
    #expect(withoutHTTP.allSatisfy { $0.code == .noHTTP })
    #expect(ofCertificates.allSatisfy { $0.code == .certificate })
  }

  @Test func `an HTTP client error describes its cause and remedy`() {
    let beginnings: [(CollectorError, String)] = [
      (
        .noLibrary(names: ["libcurl.so.4", "libcurl.so"]),
        """
        there is no libcurl on this system, by which HTTP is spoken (libcurl.so.4, libcurl.so): \
        install it
        """
      ),
      (
        .unusable(version: "7.10"),
        "libcurl 7.10 cannot be used: install version 7.54 or a later one"
      ),
      (.notStarted(version: "8.0"), "libcurl 8.0 does not start: see whether the curl command "),
      (.privileged, "a program that runs with rights of its file's (setuid, setgid) speaks no "),
      (
        .unreadable(path: "/a.pem"),
        "cannot read “/a.pem”: give a file in PEM that this user may read"
      ),
      (.encryptedKey(path: "/a.pem"), "the key in “/a.pem” needs a password: give a key without"),
      (
        .filesUnsupported,
        "files of certificates are not supported on this system: add them to its keychain"
      ),
    ]
    for (error, beginning) in beginnings {
      #expect(error.description.hasPrefix(beginning), "\(error)")
    }
  }
}
