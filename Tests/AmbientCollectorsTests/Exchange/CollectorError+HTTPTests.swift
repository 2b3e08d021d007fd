import Ambient
import AmbientCollectors
import Testing

@Suite struct `The error of an HTTP client that cannot be made` {
  @Test func `has the code of a missing library or of certificates`() {
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
