// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Testing

@Suite struct `HTTP client errors` {
  @Test func `libcurl errors have the code noHTTP, and certificate errors the code certificate`() {
    let withoutHTTP: [CollectorError] = [
      .noLibrary(names: []), .unusable(version: "7"), .notStarted(version: "8"), .privileged,
    ]
    let ofCertificates: [CollectorError] = [
      .unreadable(path: "/a"), .encryptedKey(path: "/a"), .filesUnsupported,
    ]
    #expect(withoutHTTP.allSatisfy { $0.code == .noHTTP })
    #expect(ofCertificates.allSatisfy { $0.code == .certificate })
  }
}
