// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite struct `Google API secret` {
  private let folder = TemporaryFolder()
  private let forms = ["s3cr+t", "s3cr%2Bt", "of=the_stream", "of%3Dthe_stream"]

  @Test func `the Google API secret doesn't appear in reports, status or files`() async throws {
    let reports = Reports()
    let server = try LoopbackServer { number, request in
      let said = "no: \(request.target) \(GoogleAnalytics.secret)"
      return number == 0
        ? .answer(400, body: said)
        : number < 3
          ? .answer(403, headers: ["Location": "/other?\(request.target)"], body: said)
          : .answer(503, body: said)
    }
    let analytics = try GoogleAnalytics.to(server, folder, reports: reports)
    for name in ["a", "order placed"] {
      analytics.track(Event(name))
      analytics.flush()
      #expect(await Patience.waitIdly { !server.requests.isEmpty })
    }
    #expect(await Patience.waitIdly { server.requests.count > 3 })
    await analytics.finish()
    #expect(server.requests.contains { $0.target.contains("api_secret=s3cr%2Bt") })
    #expect(reports.all.contains { $0.kind == .undelivered })
    let all = shown(analytics, reports, folder)
    for form in forms { #expect(!all.contains(form), "\(form)") }
  }

  @Test(.quiet)
  func `a Firebase app ID that a response repeats is shown in the reason for the failure`()
    async throws
  {
    let transport = ScriptedTransport([.answer(401, body: "no app 1:12:ios:a1")])
    let analytics = try GoogleAnalytics(
      firebaseAppID: "1:12:ios:a1", appInstanceID: "0123456789abcdef0123456789abcdef",
      apiSecret: GoogleAnalytics.secret, queue: EventQueue(folder: folder.path("queue"), .small),
      transport: transport)
    analytics.track(Event("a"))
    await analytics.finish()
    let reason = analytics.status.trouble?.reason
    #expect(reason?.hasPrefix("status 401 (no app 1:12:ios:a1); check ") == true, "\(reason ?? "")")
  }

  @Test func `the description of GoogleOptions hides the secrets in the endpoint's URL`() {
    let options = GoogleOptions().with {
      $0.endpoint = .url("https://user:hidden@a.example/?key=hidden")
    }
    #expect(shown(options).contains("lenient"))
    #expect(!shown(options).contains("hidden"))
  }
}
