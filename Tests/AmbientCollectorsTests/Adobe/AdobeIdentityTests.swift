// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00Z")) struct `Adobe identities` {
  private let fpid = "79BF8E83-F708-414B-B1ED-5789FF33BF0B"
  private let ecid = String(repeating: "1", count: 38)

  private func identities(
    _ properties: AmbientFields, _ user: AnalyticsUser? = nil,
    _ options: AdobeOptions = AdobeOptions()
  ) async throws -> String? {
    let text = try await xdm(of: Event("a", properties, user: user), options)
    return text?.firstMatch(of: /"identityMap":(\{.*?\]\})/).map { String($0.output.1) }
  }

  @Test func `an Adobe event without an identity gets a UUID made from the queue's client ID`()
    async throws
  {
    #expect(
      try await identities([:]) == #"{"FPID":[{"id":"\#(AdobeAnalytics.device)","primary":true}]}"#)
  }

  @Test func `an fpid in the event's properties or the user's traits identifies the Adobe device`()
    async throws
  {
    let expected = #"{"FPID":[{"id":"\#(fpid.lowercased())","primary":true}]}"#
    #expect(try await identities(["fpid": fpid]) == expected)
    let user = AnalyticsUser("ada", AmbientFields(["fpid": fpid]))
    #expect(try await identities([:], user) == expected)
    let sent = try await variables(of: Event("a", user: user))
    #expect(
      sent == #"{"linkType":"o","linkName":"a","contextData":{"user.id":"ada"}}"#)
  }

  @Test func `an ecid is an Adobe event's primary identity even if the event also has an fpid`()
    async throws
  {
    #expect(
      try await identities(["fpid": fpid, "ecid": ecid])
        == #"{"ECID":[{"id":"\#(ecid)","primary":true}],"FPID":[{"id":"\#(fpid.lowercased())"}]}"#)
  }

  @Test func `for Adobe, a client_id always maps to the same version 4 UUID`() async throws {
    let one = try await identities(["client_id": "5.6"])
    #expect(try await identities(["client_id": "5.6"]) == one)
    #expect(try await identities(["client_id": "5.7"]) != one)
    #expect(
      try await identities(["client_id": "12.34"])
        == #"{"FPID":[{"id":"\#(AdobeAnalytics.device)","primary":true}]}"#)
    #expect(
      try await identities(["client_id": "5.6", "ecid": ecid])
        == #"{"ECID":[{"id":"\#(ecid)","primary":true}]}"#)
    let events = (0..<200).map { Event("a", ["client_id": "\($0)"]) }
    let bodies = try await bodies(of: events, AdobeOptions()).joined()
    let pattern =
      /"id":"([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})","primary":true/
    #expect(Set(bodies.matches(of: pattern).map(\.output.1)).count == 200)
  }

  @Test func `a user ID is sent to Adobe in the configured identity namespace`() async throws {
    let device = AdobeAnalytics.device
    let options = AdobeOptions().with { $0.userNamespace = AdobeOptions.UserNamespace("CRMID") }
    #expect(
      try await identities([:], "ada", options)
        == #"{"FPID":[{"id":"\#(device)","primary":true}],"CRMID":[{"id":"ada"}]}"#)
    #expect(
      try await identities([:], nil, options)
        == #"{"FPID":[{"id":"\#(device)","primary":true}]}"#)
    let first = AdobeOptions().with {
      $0.userNamespace = AdobeOptions.UserNamespace("CRMID", isPrimary: true)
    }
    #expect(
      try await identities([:], "ada", first)
        == #"{"FPID":[{"id":"\#(device)"}],"CRMID":[{"id":"ada","primary":true}]}"#)
    #expect(
      try await identities(["ecid": .string(ecid)], "ada", first)
        == #"{"ECID":[{"id":"\#(ecid)"}],"CRMID":[{"id":"ada","primary":true}]}"#)
    #expect(
      try await identities(["ecid": .string(ecid)], "ada", options)
        == #"{"ECID":[{"id":"\#(ecid)","primary":true}],"CRMID":[{"id":"ada"}]}"#)
    #expect(
      try await variables(of: Event("a", user: "ada"), options)
        == #"{"linkType":"o","linkName":"a"}"#)
  }

  @Test func `an Adobe event with a malformed fpid, ecid or client_id is refused`() async throws {
    for (name, value) in [
      ("fpid", "mine"), ("fpid", "79bf8e83-f708-114b-b1ed-5789ff33bf0b"),
      ("fpid", "79bf8e83-f708-414b-c1ed-5789ff33bf0b"), ("ecid", String(ecid.dropLast())),
      ("ecid", ecid + "1"), ("client_id", ""), ("client_id", String(repeating: "1", count: 201)),
    ] {
      let event = Event("a", AmbientFields([name: value]))
      let problems = EventValidator.adobe().problems(in: [event])
      #expect(
        problems.map { "\($0.rule) \($0.field)" } == ["identity-malformed properties.\(name)"])
      #expect(problems.map(\.effect) == [.refused])
      #expect(try await bodies(of: [event], AdobeOptions()) == [])
    }
  }

  @Test func `an empty or overlong Adobe user ID is reported`() async throws {
    let options = AdobeOptions().with { $0.userNamespace = AdobeOptions.UserNamespace("CRMID") }
    let longest = String(repeating: "x", count: 1_024)
    func broken(_ id: String) -> [EventRule] {
      EventValidator.adobe(options).problems(in: [Event("a", user: AnalyticsUser(id))]).map(\.rule)
    }
    #expect(broken(longest) == [])
    #expect(broken(longest + "x") == [.textTooLong])
    #expect(broken("") == [.identityMalformed])
    #expect(
      try await identities([:], AnalyticsUser(longest + "x"), options)?.contains("CRMID") == false)
  }

  @Test(arguments: [
    ("client_id", "x", true), ("client_id", String(repeating: "x", count: 200), true),
    ("client_id", String(repeating: "é", count: 101), false),
    ("ecid", String(repeating: "9", count: 38), true), ("ecid", "é", false),
    ("fpid", "79bf8e83-f708-414b-81ed-5789ff33bf0b", true),
    ("fpid", "79bf8e83-f708-414b-b1ed-5789ff33bf0b", true),
    ("fpid", "79bf8e83-f708-514b-b1ed-5789ff33bf0b", false),
    ("fpid", "79bf8e83-f708-414b-71ed-5789ff33bf0b", false),
  ])
  func `Adobe's EventValidator accepts an ecid, fpid or client_id only in the right format`(
    name: String, id: String, isTaken: Bool
  ) {
    let found = EventValidator.adobe().problems(in: [Event("a", AmbientFields([name: id]))])
    #expect(found.map(\.rule) == (isTaken ? [] : [.identityMalformed]))
  }
}
