// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AmbientCollectors

@Suite struct `Google sessions` {
  private let sessions = GoogleSessions()

  /// The session of a client whose event comes so many seconds after a moment.
  private func session(
    of client: String, at seconds: Double, pause: Duration = .seconds(60)
  ) -> String {
    let moment = Date(timeIntervalSince1970: 1_795_755_600)
    return sessions.id(of: client, at: moment + seconds, pause: pause)
  }

  @Test func `beyond 10,000 clients, Google sessions are kept only for the 5,000 latest clients`() {
    func session(_ client: Int, at seconds: Double) -> String {
      self.session(of: "\(client)", at: seconds, pause: .seconds(20_000))
    }
    for client in 0..<10_000 { _ = session(client, at: Double(client)) }
    // All are remembered so far, and this event is the latest of all.
    #expect(session(0, at: 10_000) == "1795755600")
    #expect(session(10_000, at: 10_001) == "1795765601")
    for (client, id) in [
      (0, "1795755600"), (9_999, "1795765599"), (5_001, "1795760601"), (5_000, "1795765602"),
      (1, "1795765602"), (10_000, "1795765601"),
    ] {
      #expect(session(client, at: 10_002) == id, "\(client)")
    }
  }

  @Test func `beyond 10,000 clients, Google sessions that have ended are forgotten first`() {
    func session(_ client: Int, at seconds: Double) -> String {
      self.session(of: "\(client)", at: seconds, pause: .seconds(1_000))
    }
    for client in 0..<6_000 { _ = session(client, at: Double(client)) }
    for client in 6_000..<10_000 { _ = session(client, at: 10_000) }
    // An event that comes late belongs to a session that has ended, as long as it is remembered.
    #expect(session(5_998, at: 6_050) == "1795761598")
    #expect(session(10_000, at: 10_100) == "1795765700")
    #expect(session(5_998, at: 6_060) == "1795761660")
    #expect(session(5_999, at: 6_060) == "1795761660")
    let others = Set((6_000..<10_000).map { session($0, at: 10_100) })
    #expect(others == ["1795765600"])
  }

  @Test func `a Google session includes events dated at most one session timeout before the start`()
  {
    #expect(session(of: "a", at: 0) == "1795755600")
    #expect(session(of: "a", at: -60) == "1795755600")
    #expect(session(of: "a", at: -61) == "1795755539")
  }

  @Test func `a Google session's timeout is measured from the event with the latest time`() {
    #expect(session(of: "a", at: 0) == "1795755600")
    #expect(session(of: "a", at: 50) == "1795755600")
    #expect(session(of: "a", at: 10) == "1795755600")
    #expect(session(of: "a", at: 110) == "1795755600")
    #expect(session(of: "a", at: 171) == "1795755771")
  }

  @Test func `a Google session that starts before 1970 has the ID 0`() {
    #expect(
      sessions.id(of: "a", at: Date(timeIntervalSince1970: -5), pause: .seconds(60)) == "0")
  }

  @Test(arguments: [
    ("", "2056588021.699787420"),
    ("01a1f9e6-9280-4d9c-a6fc-edf527c19b83", "916562158.1032022030"),
  ])
  func `an anonymous ID always maps to the same Google client ID`(id: String, client: String) {
    #expect(GoogleIdentity.client(of: id) == client)
  }
}
