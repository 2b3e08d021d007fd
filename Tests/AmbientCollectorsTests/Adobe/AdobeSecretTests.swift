// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Adobe credentials` {
  private let folder = TemporaryFolder()
  private let secrets = ["t0ken/of.the-server", "key+of=it", "0123456789ABCDEF@AdobeOrg"]

  @Test func `Adobe credentials don't appear in reports, status, descriptions or files`()
    async throws
  {
    let reports = Reports()
    let server = try LoopbackServer { [secrets] number, request in
      let said =
        #"{"title":"no: \#(secrets.joined(separator: " "))","detail":"\#(request.headers)"}"#
      return number == 0
        ? .answer(400, body: said)
        : number < 3
          ? .answer(403, headers: ["Location": "/other?\(request.target)"], body: said)
          : .answer(503, body: said)
    }
    let credentials = AdobeCredentials(apiKey: secrets[1], organization: secrets[2]) { [secrets] in
      secrets[0]
    }
    let analytics = try AdobeAnalytics.to(
      server, folder, credentials: credentials, reports: reports)
    for name in ["a", "b"] {
      analytics.track(Event(name, ["order placed": 1]))
      analytics.flush()
      #expect(await Patience.waitIdly { !server.requests.isEmpty })
    }
    #expect(await Patience.waitIdly { server.requests.count > 3 })
    await analytics.finish()
    let headers = try #require(server.requests.first?.headers)
    #expect(Set(headers.values).isSuperset(of: ["Bearer \(secrets[0])", secrets[1], secrets[2]]))
    #expect(reports.all.contains { $0.kind == .undelivered })
    let all = shown(analytics, reports, folder) + shown(credentials)
    #expect(all.contains("status 403"))
    for secret in secrets { #expect(!all.contains(secret), "\(secret)") }
  }

  @Test(.quiet)
  func `an Adobe token that was replaced stays hidden in reports even after many retries`()
    async throws
  {
    let tokens = Guarded(["first-t0ken", "second-t0ken"])
    let server = try LoopbackServer { number, _ in
      number < 8 ? .answer(503) : .answer(403, body: "neither first-t0ken nor second-t0ken")
    }
    let credentials = AdobeCredentials(apiKey: secrets[1], organization: secrets[2]) {
      tokens.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
    let analytics = try AdobeAnalytics.to(
      server, folder, credentials: credentials, reports: Diagnostics.instance)
    analytics.track(Event("a", ["order placed": 1]))
    analytics.flush()
    #expect(
      await Patience.waitIdly { analytics.status.trouble?.reason.hasPrefix("status 403") == true })
    let sent = server.requests.map { $0.headers["authorization"] }
    #expect(sent.prefix(2) == ["Bearer first-t0ken", "Bearer second-t0ken"])
    #expect(Set(sent.dropFirst()) == ["Bearer second-t0ken"])
    await analytics.finish()
    let shown = "\(analytics.status.trouble?.reason ?? "") \(Test.reports)"
    #expect(shown.contains("neither … nor …"), "\(shown)")
    #expect(!shown.contains("t0ken"), "\(shown)")
  }

  @Test func `the description of AdobeOptions hides the secrets in the endpoint's URL`() {
    let options = AdobeOptions().with {
      $0.endpoint = .url("https://user:hidden@a.example/?key=hidden")
    }
    #expect(shown(options).contains("lenient"))
    #expect(!shown(options).contains("hidden"))
  }

  @Test(.quiet) func `AdobeTokens remembers the last four tokens`() {
    let next = Guarded("")
    let credentials = AdobeCredentials(apiKey: "key", organization: "org") {
      next.withLock { $0 }
    }
    let tokens = AdobeTokens(of: "Adobe")
    for (token, latest) in [
      ("a", ["a"]), ("a", ["a"]), ("b", ["a", "b"]), ("a", ["a", "b", "a"]),
      ("c", ["a", "b", "a", "c"]), ("d", ["b", "a", "c", "d"]), ("no token", ["b", "a", "c", "d"]),
      ("d", ["b", "a", "c", "d"]),
    ] {
      next.withLock { $0 = token }
      #expect(tokens.token(of: credentials) == (token == "no token" ? nil : token))
      #expect(tokens.latest == latest)
    }
    #expect(Test.reports.map(\.kind) == [.invalidSetting])
    #expect(Test.reports.first?.message.contains("“token”") == true)
  }

  @Test func `AdobeCredentials lists the API key and organization as secrets`() {
    let credentials = AdobeCredentials(apiKey: "k", organization: "o") { "t" }
    #expect(credentials.secrets == ["k", "o"])
  }
}
