// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import Testing

@Suite struct `URLs without secrets` {
  @Test(arguments: [
    ("https://events.example/all/logs?key=hidden#part", "https://events.example/all/logs"),
    ("http://u:hidden@[::1]:8443/logs/T0KEN/", "http://[::1]:8443/logs/…/"),
    ("http://events.example", "http://events.example"), ("/all/logs", ":///all/logs"),
    ("http://a/x-y.z_v//", "http://a/x-y.z_v//"),
    ("http://a/123/v123/V1/x--y/-x/x1", "http://a/…/…/…/…/…/…"),
    ("http://a/abcdefghijklmnopqrst", "http://a/abcdefghijklmnopqrst"),
    ("http://a/abcdefghijklmnopqrstu", "http://a/…"),
  ])
  func `URL.withoutSecrets leaves out user and query, and hides path parts that look secret`(
    text: String, shown: String
  ) throws {
    #expect(try #require(URL(string: text)).withoutSecrets == shown)
  }

  @Test func `URL.withoutSecrets keeps version numbers in a URL's path`() {
    #expect(URL.withoutSecrets(path: "/v1/v12/0/99/x") == "/v1/v12/0/99/x")
  }

  @Test(arguments: [
    ("http://a/x", "HTTP://A:80/y?z", true), ("https://a", "https://a:443/", true),
    ("http://a:80", "http://a:81", false), ("http://a", "http://a:443", false),
    ("https://a", "https://a:80", false), ("http://a:80", "https://a:80", false),
    ("http://a", "http://b", false), ("http://a", "http://a.b", false),
  ])
  func `two URLs have the same origin only if their schemes, hosts and ports are equal`(
    one: String, other: String, isSame: Bool
  ) throws {
    let (one, other) = (try #require(URL(string: one)), try #require(URL(string: other)))
    #expect(one.hasOrigin(of: other) == isSame && other.hasOrigin(of: one) == isSame)
  }
}
