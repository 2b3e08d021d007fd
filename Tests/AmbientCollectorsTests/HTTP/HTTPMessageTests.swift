// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `HTTP collector messages` {
  private func error(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "valid"
    } catch { return "\(error)" }
  }

  @Test func `the HTTP collector's messages about addresses equal those in messages.txt`() throws {
    func address(_ url: String, setting: String? = nil) -> String {
      error { _ = try PostTarget(url: url, headers: [:], query: [:], setting: setting) }
    }
    let twice = error {
      _ = try PostTarget(
        url: "https://a.example/", headers: ["X-Key": "1", "X-KEY": "2"], query: [:])
    }
    let base = CollectorEndpoint<OTLPOptions>.base("https://u:s3cret@a.example/v1/logs")
    try MessageCatalog.expect(
      "Collectors, addresses",
      [
        "An address without a scheme": address("events.example"),
        "An address of another scheme": address("ftp://events.example"),
        "An address without a host": address("https:///path"),
        "An address with a space": address("https://a b.example/"),
        "An address with control characters": address("https://a.example/\r\n\u{1B}X: y"),
        "An address with a fragment": address("https://a.example/#part"),
        "An address with a port that is too high": address("https://a.example:99999/"),
        "An address that cannot be parsed": address("https://[::1/"),
        "An address of a setting": address("events.example", setting: "OTEL_ENDPOINT"),
        "An address of 10,000 characters":
          address("https://\(String(repeating: "a", count: 10_000)):99999/"),
        "A header field that occurs twice": twice.replacing("X-KEY", with: "X-Key"),
        "A base address with the path": error { _ = try base.checked("/v1/logs", headers: [:]) },
      ])
  }

  @Test func `the HTTP collector's messages about tables equal those in messages.txt`() throws {
    let table = try ClickHouseTable("shop.events")
    func column(_ name: String, _ type: String, _ kind: String = "") throws -> String {
      let line = #"{"name":"\#(name)","type":"\#(type)","default_type":"\#(kind)"}"#
      let column = try JSONDecoder().decode(ClickHouseTable.Column.self, from: Data(line.utf8))
      return table.misfits([column], isWhole: false).joined(separator: "\n")
    }
    let destination = try ClickHouseDestination(
      url: "https://a.example/", table, ClickHouseOptions())
    func verdict(_ body: String) -> String {
      let answer = HTTPAnswer(200, body: Array(body.utf8))
      return destination.verdict(onInquiry: answer, now: Date()).words.reason
    }
    try MessageCatalog.expect(
      "Collectors, ClickHouse",
      [
        "No name of a table": error { _ = try ClickHouseTable("a.b.c") },
        "Missing columns": table.misfits([], isWhole: true).joined(separator: "\n"),
        "A column of another type": try column("time", "Date"),
        "A computed column": try column("properties", "String", "MATERIALIZED"),
        "A table that does not fit":
          verdict(#"{"name":"id","type":"UInt64","default_type":""}"#),
        "No description of a table": verdict("Ok."),
      ])
  }
}
