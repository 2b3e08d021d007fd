// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00.125Z")) struct `Google location and device` {
  private let place: AmbientFields = [
    "city": "Mountain View", "region_id": "US-CA", "country_id": "US", "subcontinent_id": "021",
    "continent_id": "019",
  ]
  private let phone: AmbientFields = [
    "category": "mobile", "language": "en", "screen_resolution": "1280x2856",
    "operating_system": "Android", "operating_system_version": 14, "model": "Pixel 9 Pro",
    "brand": "Google", "browser": "Chrome", "browser_version": "136.0.7103.60",
  ]
  private let placeText =
    #""user_location":{"city":"Mountain View","region_id":"US-CA","country_id":"US","#
    + #""subcontinent_id":"021","continent_id":"019"}"#
  private let phoneText =
    #""device":{"category":"mobile","language":"en","screen_resolution":"1280x2856","#
    + #""operating_system":"Android","operating_system_version":"14","model":"Pixel 9 Pro","#
    + #""brand":"Google","browser":"Chrome","browser_version":"136.0.7103.60"}"#

  private func event(_ name: String, _ properties: AmbientFields) -> String {
    #""events":[{"name":"\#(name)","params":\#(properties.ambientValue.json),"#
      + #""timestamp_micros":1795755600125000}]}"#
  }

  @Test func `Google's user_location and device are sent at the top level of a request`()
    async throws
  {
    let tracked = Event("view", ["device": phone, "user_location": place, "page": 1])
    #expect(
      try await bodies(of: [tracked]) == [
        #"{"client_id":"12.34",\#(placeText),\#(phoneText),\#(event("view", ["page": 1]))"#
      ])
  }

  @Test func `if a Google event has no user_location or device, those of the user are sent`()
    async throws
  {
    let user = AnalyticsUser("ada", ["user_location": place, "device": phone, "plan": "paid"])
    let elsewhere = Event("view", ["user_location": ["country_id": "DE"]], user: user)
    let head =
      #"{"client_id":"12.34","user_id":"ada","user_properties":{"plan":{"value":"paid"}},"#
    #expect(
      try await bodies(of: [Event("view", user: user), elsewhere]) == [
        #"\#(head)\#(placeText),\#(phoneText),\#(event("view", [:]))"#,
        #"\#(head)"user_location":{"country_id":"DE"},\#(phoneText),\#(event("view", [:]))"#,
      ])
  }

  @Test func `if Google's user_location or device is a text, it is sent as an ordinary value`()
    async throws
  {
    let user = AnalyticsUser("ada", ["device": "phone"])
    #expect(
      try await bodies(of: [Event("view", ["user_location": "here"], user: user)]) == [
        #"{"client_id":"12.34","user_id":"ada","user_properties":{"device":{"value":"phone"}},"#
          + event("view", ["user_location": "here"])
      ])
  }

  @Test(
    arguments: [
      ("user_location", "country_id", "Germany", "value-malformed"),
      ("user_location", "country_id", "de", "value-malformed"),
      ("user_location", "region_id", "CA", "value-malformed"),
      ("user_location", "continent_id", 19, "value-malformed"),
      ("user_location", "city", "", "value-malformed"),
      ("user_location", "street", "Main", "name-unknown"),
      ("device", "screen_resolution", "large", "value-malformed"),
      ("device", "model", ["a": 1], "value-malformed"),
      ("device", "colour", true, "name-unknown"),
    ] as [(String, String, any AmbientValueConvertible & Sendable, String)])
  func `an invalid member of Google's user_location or device is left out and reported`(
    object: String, member: String, value: any AmbientValueConvertible & Sendable, rule: String
  ) async throws {
    let good: AmbientFields = object == "device" ? ["brand": "Fair"] : ["subcontinent_id": 155]
    let tracked = Event(
      "view", AmbientFields([object: good.merging(AmbientFields([member: value.ambientValue]))]))
    let problems = EventValidator.google().problems(in: [tracked])
    #expect(
      problems.map { "\($0.rule) \($0.field)" } == ["\(rule) properties.\(object).\(member)"])
    let kept = object == "device" ? #"{"brand":"Fair"}"# : #"{"subcontinent_id":"155"}"#
    #expect(
      try await bodies(of: [tracked]) == [
        #"{"client_id":"12.34","\#(object)":\#(kept),\#(event("view", [:]))"#
      ])
  }

  @Test(
    arguments: [
      (.integer(14), "14"), (.double(17.5), "17.5"), (.unsigned(.max), "18446744073709551615"),
      (.string("14.1"), "14.1"),
    ] as [(AmbientValue, String)])
  func `a number in Google's device object is sent as text`(value: AmbientValue, text: String)
    async throws
  {
    let phone = AmbientFields(["operating_system_version": value])
    let tracked = Event("view", ["device": phone])
    #expect(EventValidator.google().problems(in: [tracked]) == [])
    #expect(
      try await bodies(of: [tracked]) == [
        #"{"client_id":"12.34","device":{"operating_system_version":"\#(text)"},"#
          + event("view", [:])
      ])
  }

  @Test(
    arguments: [
      ("user_location", "country_id", "de", "DE, found “de”"),
      ("user_location", "region_id", "US-ca", "US-CA, found “US-ca”"),
      ("user_location", "continent_id", 19, "150, found 19"),
      ("user_location", "subcontinent_id", "21", "150, found “21”"),
      ("user_location", "city", "", "found “”"),
      ("device", "screen_resolution", "1280", "1280x2856, found “1280”"),
      ("device", "brand", true, "found true"),
      ("device", "model", ["a": 1], "found an object of 1 member"),
    ] as [(String, String, any AmbientValueConvertible & Sendable, String)])
  func `the EventProblem for an invalid user_location or device member names the valid form`(
    object: String, member: String, value: any AmbientValueConvertible & Sendable, words: String
  ) {
    let tracked = Event(
      "view", AmbientFields([object: AmbientFields([member: value.ambientValue])]))
    let texts = EventValidator.google().problems(in: [tracked]).map(\.description)
    #expect(texts.count == 1)
    #expect(texts.first?.hasPrefix("view, properties.\(object).\(member): expected ") == true)
    #expect(texts.first?.contains(" \(words); ") == true, "\(texts)")
  }

  @Test(arguments: [
    ("user_location", "city, continent_id, country_id, region_id, subcontinent_id"),
    (
      "device",
      """
      brand, browser, browser_version, category, language, model, operating_system, \
      operating_system_version, screen_resolution
      """
    ),
  ])
  func `the EventProblem for an unknown user_location or device member lists the known names`(
    object: String, names: String
  ) {
    let tracked = Event("view", AmbientFields([object: AmbientFields(["colour": "red"])]))
    let problems = EventValidator.google().problems(in: [tracked])
    #expect(problems.map(\.field) == ["properties.\(object).colour"])
    #expect(problems.map { $0.demand.hasSuffix(" \(names)") } == [true], "\(problems)")
    #expect(problems.map(\.found) == ["“colour”"] && problems.map(\.effect) == [.leftOut])
  }
}
