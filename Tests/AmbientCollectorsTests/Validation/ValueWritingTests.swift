// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

/// The texts by which a collector writes those fields.
private func texts(of fields: AmbientFields) -> [String] {
  var otlp: [UInt8] = []
  otlp.append(otlp: fields)
  return [AmbientValue.fields(fields).json, String(decoding: otlp, as: UTF8.self)]
}

private func isReadable(_ text: String) -> Bool {
  PrivateForms.readable.contains { text.contains($0) }
}

@Suite struct `Values in requests` {
  @Test func `in OTLP requests, values are escaped and redacted as in an event's JSON`() throws {
    let fields: AmbientFields = [
      "text": "\u{202E}\u{7F}\u{200B}\u{E0041}\"\\\n é 🛒", "nan": Double.nan, "number": 12.5,
      "date": Date(timeIntervalSince1970: 0.125), "card": .private(1), "mail": .sensitive("a"),
      "list": [1, nil, 3] as [Int?], "group": ["\u{FEFF}": true] as AmbientFields,
      "whole": UInt64.max,
    ]
    let json = AmbientValue.fields(fields).json
    #expect(Event("e", fields).json == #"{"event":"e","properties":\#(json)}"#)
    #expect(
      json.unicodeScalars.allSatisfy {
        $0.value >= 32 && !$0.properties.isDefaultIgnorableCodePoint
      })
    #expect(json.contains(#""card":"<private>","mail":"<hash:"#))
    var otlp: [UInt8] = []
    otlp.append(otlp: fields)
    let values = String(decoding: otlp, as: UTF8.self)
    for part in [
      #""key":"text","value":{"stringValue":"\u202e\u007f\u200b\udb40\udc41\"\\\n é 🛒"}"#,
      #""key":"nan","value":{"stringValue":"nan"}"#,
      #""key":"number","value":{"doubleValue":12.5}"#,
      #""key":"date","value":{"stringValue":"1970-01-01T00:00:00.125Z"}"#,
      #""key":"card","value":{"stringValue":"<private>"}"#,
      #""values":[{"intValue":"1"},{},{"intValue":"3"}]"#,
      #"{"key":"\ufeff","value":{"boolValue":true}}"#,
      #""value":{"stringValue":"18446744073709551615"}"#,
    ] {
      #expect(values.contains(part), "\(part) in \(values)")
    }
  }

  @Test(
    arguments: [
      (.null, "{}"), (.fields([:]), #"{"kvlistValue":{"values":[]}}"#),
      (.array([]), #"{"arrayValue":{"values":[]}}"#), (.string(""), #"{"stringValue":""}"#),
      (.boolean(false), #"{"boolValue":false}"#), (.integer(0), #"{"intValue":"0"}"#),
      (.integer(.min), #"{"intValue":"-9223372036854775808"}"#),
      (.unsigned(0), #"{"intValue":"0"}"#),
      (.unsigned(9_223_372_036_854_775_807), #"{"intValue":"9223372036854775807"}"#),
      (.unsigned(9_223_372_036_854_775_808), #"{"stringValue":"9223372036854775808"}"#),
      (.double(0), #"{"doubleValue":0.0}"#), (.double(.infinity), #"{"stringValue":"inf"}"#),
      (.double(-.infinity), #"{"stringValue":"-inf"}"#),
      (
        .array([.fields([:]), .array([]), .null, .string("")]),
        #"{"arrayValue":{"values":[{"kvlistValue":{"values":[]}},{"arrayValue":{"values":[]}},{},"#
          + #"{"stringValue":""}]}}"#
      ),
    ] as [(AmbientValue, String)])
  func `in OTLP requests, empty and extreme values keep their type`(
    value: AmbientValue, text: String
  ) {
    var otlp: [UInt8] = []
    otlp.append(otlp: value)
    #expect(String(decoding: otlp, as: UTF8.self) == text)
  }

  @Test func `private values of every form are redacted in requests`() {
    for form in PrivateForms.all {
      #expect(!texts(of: form.record.metadata).contains(where: isReadable), "\(form.name)")
    }
  }

  @Test func `private values stay redacted in requests even if AmbientPrivacy.isRevealing is true`()
    async
  {
    await #expect(processExitsWith: .success) {
      AmbientPrivacy.isRevealing = true
      for form in PrivateForms.all {
        for fields in [form.record.metadata, form.record.redacted.metadata] {
          if texts(of: fields).contains(where: isReadable) { fatalError(form.name) }
        }
      }
      var numbers = SystemRandomNumberGenerator()
      for _ in 0..<TestRun.rounds(500, all: 3_000, full: 10_000) {
        let record = PrivateForms.nested(&numbers)
        if texts(of: record.metadata).contains(where: isReadable) { fatalError("\(record)") }
      }
      // Equal in all forms: the mark of the line is the mark of the request.
      let fields: AmbientFields = ["mail": .sensitive("a@b.c"), "card": .private(1)]
      let event = TrackedEvent(Event("e", fields), id: UUID(), date: Date()).redacted.event
      precondition(event.json.contains(AmbientValue.fields(fields).json))
      precondition(event.json.contains("<hash:"))
    }
  }
}
