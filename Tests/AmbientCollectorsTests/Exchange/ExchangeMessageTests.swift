// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Exchange messages` {
  @Test func `messages about failed HTTP clients equal those in messages.txt`()
    throws
  {
    try MessageCatalog.expect(
      "Collectors, HTTP client",
      [
        "No libcurl": "\(CollectorError.noLibrary(names: ["libcurl.so.4", "libcurl.so"]))",
        "A libcurl that is too old": "\(CollectorError.unusable(version: "7.10"))",
        "A libcurl that does not start": "\(CollectorError.notStarted(version: "8.0"))",
        "A setuid program": "\(CollectorError.privileged)",
        "A file that cannot be read": "\(CollectorError.unreadable(path: "/etc/ca.pem"))",
        "A file whose path has quotes and control characters":
          "\(CollectorError.unreadable(path: "/etc/“ca”\n\u{1B}[31m\"x\".pem"))",
        "A key with a password": "\(CollectorError.encryptedKey(path: "/etc/client.pem"))",
        "Certificates on Apple's systems": "\(CollectorError.filesUnsupported)",
      ])
  }

  @Test func `messages about settings equal those in messages.txt`() throws {
    func text(_ reason: String) -> String {
      "\(CollectorError.invalidSetting(name: "url", reason: reason))"
    }
    func field(_ name: String, _ value: String = "x") -> String {
      let reason = HeaderFieldRules.fault(name, value) ?? "valid"
      return "\(CollectorError.invalidHeader(name: name, reason: reason))"
    }
    try MessageCatalog.expect(
      "Collectors, settings",
      [
        "An invalid setting": text("it has no host"),
        "An invalid address":
          "\(CollectorError.invalidURL("https:///events", reason: "it has no valid host"))",
        "A header field with an invalid name": field("X key"),
        "A header field with a control character in its value": field("X-Key", "a\nb"),
        "A header field that the connection sets": field("Content-Length"),
        "A header field with a name of 10,000 characters":
          field(String(repeating: "имя", count: 3_334)),
      ])
  }

  @Test func `messages about transport errors equal those in messages.txt`() throws {
    let url = try #require(URL(string: "https://events.example/"))
    let exchange = RunningExchange(
      OutgoingRequest("POST", url, body: []), ExchangeLimits(duration: .milliseconds(14_746)),
      until: .now)
    try MessageCatalog.expect(
      "Collectors, exchanges",
      [
        "Too late": exchange.lateness,
        "No HTTP": "\(TransportError.noHTTP(scheme: "https"))",
        "No HTTP without TLS": "\(TransportError.noHTTP(scheme: "http"))",
        "An untrusted certificate": TransportError.untrusted(),
        "An untrusted certificate on Apple's systems":
          TransportError.untrusted("proxy", takesFiles: false),
        "A missing client certificate": TransportError.certificateWanted(),
        "A rejected client certificate": TransportError.certificateRefused(by: "proxy"),
        "No TLS": TransportError.noTLS,
        "A lost connection": TransportError.lost,
        "An answer that cannot be decoded": TransportError.undecodable,
        "With detail":
          "\(TransportError(.unsent, TransportError.noTLS, detail: "wrong version number"))",
      ])
  }
}
