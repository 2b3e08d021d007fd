// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00.125Z")) struct `Google requests` {
  private let folder = TemporaryFolder()

  @Test func `a Google event is posted as JSON to the configured data stream`() async throws {
    let transport = ScriptedTransport([])
    let analytics = try GoogleAnalytics.to(transport, folder)
    analytics.track(Event("sign_up"))
    await analytics.finish()
    let request = try #require(transport.exchanges.first?.request)
    #expect(
      request.url.absoluteString
        == "https://www.google-analytics.com/mp/collect"
        + "?api_secret=s3cr%2Bt%2Fof%3Dthe_stream&measurement_id=G-TEST12345")
    #expect(request.method == "POST")
    #expect(request.headers == ["Content-Type": "application/json"])
    #expect(
      transport.bodies == [
        #"{"client_id":"12.34","events":[{"name":"sign_up","params":{"session_id":"1795755600","#
          + #""engagement_time_msec":100},"timestamp_micros":1795755600125000}]}"#
      ])
  }

  @Test(arguments: [
    (CollectorEndpoint<GoogleOptions>.europe, "https://region1.google-analytics.com/mp/collect?"),
    (.url("http://127.0.0.1:1/debug?x=1"), "http://127.0.0.1:1/debug?x=1&"),
    (.url("http://127.0.0.1:1"), "http://127.0.0.1:1/mp/collect?api"),
    (.url("http://127.0.0.1:1?x=1"), "http://127.0.0.1:1/mp/collect?x=1&"),
    (.url("http://127.0.0.1:1/?x=1"), "http://127.0.0.1:1/mp/collect?x=1&"),
    (.base("http://127.0.0.1:1/own/"), "http://127.0.0.1:1/own/mp/collect?api"),
    (.exact("http://127.0.0.1:1"), "http://127.0.0.1:1/?api"),
  ])
  func `a custom Google endpoint sets the host, path and query of requests`(
    endpoint: CollectorEndpoint<GoogleOptions>, start: String
  ) async throws {
    let transport = ScriptedTransport([])
    let analytics = try GoogleAnalytics.to(
      transport, folder, GoogleOptions().with { $0.endpoint = endpoint })
    analytics.track(Event("sign_up"))
    await analytics.finish()
    #expect(transport.exchanges.first?.request.url.absoluteString.hasPrefix(start) == true)
  }

  @Test func `a request for a Google app stream carries the app ID and the app instance ID`()
    async throws
  {
    let transport = ScriptedTransport([])
    let instance = "0123456789abcdef0123456789ABCDEF"
    let analytics = try GoogleAnalytics(
      firebaseAppID: "1:1234:android:a1b2", appInstanceID: instance, apiSecret: "secret",
      queue: EventQueue(folder: folder.path("queue"), .small),
      options: GoogleOptions().with {
        $0.session = .fixed("7")
        $0.engagement = .seconds(2)
      },
      transport: transport)
    analytics.track(Event("screen_view"))
    await analytics.finish()
    #expect(
      transport.exchanges.first?.request.url.query()
        == "api_secret=secret&firebase_app_id=1:1234:android:a1b2"
        || transport.exchanges.first?.request.url.query()
          == "api_secret=secret&firebase_app_id=1%3A1234%3Aandroid%3Aa1b2"
    )
    #expect(
      transport.bodies == [
        #"{"app_instance_id":"0123456789abcdef0123456789ABCDEF","events":[{"name":"screen_view","#
          + #""params":{"session_id":"7","engagement_time_msec":2000},"#
          + #""timestamp_micros":1795755600125000}]}"#
      ])
  }

  @Test func `each type of event property is sent to Google as the expected JSON value`()
    async throws
  {
    let event = Event(
      "mixed",
      [
        "text": "a \"b\" \\ \n é 🏳️‍🌈", "count": 3, "large": UInt64.max, "price": 12.5, "whole": 12.0,
        "yes": true, "when": Date(timeIntervalSince1970: 0), "none": nil as String?,
      ])
    #expect(
      try await parameters(of: event)
        == #"{"text":"a \"b\" \\ \n é 🏳️‍🌈","count":3,"large":18446744073709551615,"price":12.5,"#
        + #""whole":12,"yes":true,"when":"1970-01-01T00:00:00.000Z"}"#)
  }

  @Test func `a Google request carries the user's ID, traits and client_id`() async throws {
    let user = AnalyticsUser("ada", ["plan": "paid", "age": 36, "client_id": "9.8"])
    #expect(
      try await bodies(of: [Event("login", user: user)]) == [
        #"{"client_id":"9.8","user_id":"ada","user_properties":{"plan":{"value":"paid"},"#
          + #""age":{"value":36}},"events":[{"name":"login","params":{},"#
          + #""timestamp_micros":1795755600125000}]}"#
      ])
  }

  @Test func `a Google request carries granted or denied consent but not pending consent`()
    async throws
  {
    let consent = Consent([.advertising: .granted, .personalization: .denied])
    let options = GoogleOptions().with {
      $0.consent = consent
      $0.session = .none
      $0.engagement = nil
    }
    #expect(
      try await bodies(of: [Event("login")], options).first?.hasPrefix(
        #"{"client_id":"12.34","consent":{"ad_user_data":"GRANTED","ad_personalization":"DENIED"},"#
      ) == true)
    consent.set(.pending, for: .advertising)
    consent.set(.pending, for: .personalization)
    #expect(
      try await bodies(of: [Event("login")], options).first?.hasPrefix(
        #"{"client_id":"12.34","events":["#) == true)
  }

  @Test func `a session_id or engagement_time_msec in a Google event replaces the default value`()
    async throws
  {
    let options = GoogleOptions()
    for (event, expected) in [
      (
        Event("a", ["session_id": 5, "engagement_time_msec": 9]),
        #"{"engagement_time_msec":9,"session_id":"5"}"#
      ),
      (
        Event("a", user: AnalyticsUser("u", ["session_id": "6"])),
        #"{"session_id":"6","engagement_time_msec":100}"#
      ),
    ] {
      #expect(try await bodies(of: [event], options).first?.contains(expected) == true)
    }
  }

  @Test(arguments: [
    (Duration.zero, "0"), (.microseconds(999), "0"), (.milliseconds(1), "1"),
    (.seconds(1_000_000_000), "1000000000000"), (.seconds(2_000_000_000), "1000000000000"),
  ])
  func `Google engagement time is sent in whole milliseconds, up to a billion seconds`(
    engagement: Duration, text: String
  ) async throws {
    let options = GoogleOptions().with {
      $0.session = .none
      $0.engagement = engagement
    }
    #expect(
      try await bodies(of: [Event("a")], options).first?
        .contains(#""params":{"engagement_time_msec":\#(text)}"#) == true)
  }

  @Test(
    arguments: [
      ("0", true), (.string(String(repeating: "9", count: 20)), true), (0, true), (7, true),
      (.string(String(repeating: "9", count: 21)), false), ("", false), ("-1", false), (-1, false),
      (1.5, false),
    ] as [(AmbientValue, Bool)])
  func `a Google session_id is sent only if it consists of 1 to 20 digits`(
    id: AmbientValue, isTaken: Bool
  ) async throws {
    let options = GoogleOptions().with {
      $0.session = .none
      $0.engagement = nil
    }
    let event = Event("a", ["session_id": id])
    let rules = EventValidator.google(.web, options).problems(in: [event]).map(\.rule)
    #expect(rules == (isTaken ? [] : [.identityMalformed]))
    let sent = try await bodies(of: [event], options).first
    #expect(sent?.contains("session_id") == isTaken)
  }

  @Test(.withoutSanitizer)
  func `a Google client keeps its session while 10,000 other clients send events`() async throws {
    let transport = ScriptedTransport([])
    let analytics = try GoogleAnalytics.to(transport, folder)
    func track(_ client: String, secondsAgo: Double) {
      analytics.record(
        TrackedEvent(
          Event("a", AmbientFields(["client_id": client])), id: AmbientIdentifier.next(),
          date: Time.now - secondsAgo))
    }
    track("7.7", secondsAgo: 300)
    for number in 1...9_999 { track("\(number).1", secondsAgo: 200) }
    track("7.7", secondsAgo: 100)
    track("10000.1", secondsAgo: 90)
    track("7.7", secondsAgo: 50)
    await analytics.finish()
    let sessions = transport.bodies.filter { $0.contains(#""client_id":"7.7""#) }
      .flatMap { $0.matches(of: /"session_id":"([0-9]+)"/).map { String($0.output.1) } }
    #expect(sessions == Array(repeating: "1795755300", count: 3))
  }

  @Test func `Google events of different clients, users or traits are sent in separate requests`()
    async throws
  {
    let events = [
      Event("a"), Event("b", user: "ada"), Event("c", ["client_id": "5.6"]),
      Event("d", user: AnalyticsUser("ada", ["plan": "paid"])), Event("e"), Event("f", user: "ada"),
    ]
    let names = try await bodies(of: events).map { body in
      body.matches(of: /"name":"(.)"/).map { String($0.output.1) }
    }
    #expect(names == [["a", "e"], ["b", "f"], ["c"], ["d"]])
  }

  @Test func `a Google request carries at most 25 events`() async throws {
    for (count, expected) in [(25, [25]), (26, [25, 1])] {
      let bodies = try await bodies(of: (0..<count).map { Event("numbered", ["number": $0]) })
      #expect(bodies.map { $0.matches(of: /"number":/).count } == expected)
    }
  }

  @Test func `a Google request has fewer than 130,000 bytes`() async throws {
    let items = (0..<100).map { place in
      AmbientFields(["item_id": String(repeating: "x", count: 90), "index": "\(place)"])
    }
    let bodies = try await bodies(
      of: (0..<20).map { Event("numbered", ["number": $0, "items": items.ambientValue]) })
    #expect(bodies.count == 2)
    #expect(bodies.allSatisfy { $0.utf8.count < 130_000 })
    #expect(bodies.flatMap { $0.matches(of: /"number":/) }.count == 20)
  }
}
