// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Log formats` {
  private func record(
    _ message: LogMessage, _ metadata: AmbientFields = [:], _ level: LogLevel = .info,
    at seconds: Double = 0.123456
  ) -> LogRecord {
    LogRecord(
      date: Date(timeIntervalSinceReferenceDate: seconds), level: level, message: message,
      metadata: metadata,
      source: SourcePlace(fileID: "Shop/Till.swift", function: "pay(_:)", line: 3)
    )
  }

  @Test func `a custom log format writes one line for each record`() throws {
    let folder = TemporaryFolder()
    let own = LogFormat { record in
      #"{"severity":"\#(record.level)","# + LogFormat.json.line(record).dropFirst()
    }
    #expect(
      own.line(record("here", ["a": 1], .notice, at: 0.5))
        == #"{"severity":"notice","time":"2001-01-01T00:00:00.500000Z","level":"notice","#
        + #""message":"here","metadata":{"a":1}}"# + "\n")
    let torn = LogFormat { "\n\($0.message)\n\n" }
    #expect(torn.line(record("one\ntwo")) == " one two \n")
    #expect(LogFormat { _ in "" }.line(record("here")) == "\n")
    #expect(LogFormat { "\($0.message)\r\n" }.line(record("here")) == "here\r\n")
    let copy = own
    #expect(own == copy && own != torn && own != .text)
    // A format may itself log.
    let path = folder.path("shop.log")
    let log = try FileLog(
      path: path, level: .info,
      format: LogFormat { record in
        Log.info("from the format")
        return "\(record.message)"
      })
    Log.withInstance(NoLog()) { log.info("here") }
    log.flush()
    #expect(try folder.text("shop.log") == "here\n")
  }

  @Test func `the text log format aligns levels and quotes field values where necessary`() {
    let lines = LogLevel.allCases.map { LogFormat.text.line(record("here", [:], $0, at: 0.5)) }
    let date = "2001-01-01T00:00:00.500000Z"
    #expect(
      lines == [
        "\(date) trace    here\n", "\(date) debug    here\n", "\(date) info     here\n",
        "\(date) notice   here\n", "\(date) warning  here\n", "\(date) error    here\n",
        "\(date) critical here\n",
      ])
    #expect(
      LogFormat.text.line(
        record(
          "order placed",
          [
            "order": 42, "user": "ada l", "rate": 0.5, "odd key=": "", "tags": ["a", "b c"],
            "at": Date(timeIntervalSinceReferenceDate: 0), "in": ["x": 1] as AmbientFields,
          ], at: 0)
      ).dropFirst(28)
        == #"info     order placed order=42 user="ada l" rate=0.5 odd_key_="" tags=["a","b c"] "#
        + "at=2001-01-01T00:00:00.000Z in={\"x\":1}\n")
  }

  @Test func `LogFormat colors a line only in the text format with the color set to always`() {
    let line = LogFormat(.text, color: .always).line(record("here", [:], .error, at: 0))
    #expect(
      line == "\u{1B}[2m2001-01-01T00:00:00.000000Z\u{1B}[0m\u{1B}[31m error    \u{1B}[0mhere\n")
    #expect(!LogFormat(.json, color: .always).line(record("here")).contains("\u{1B}"))
    #expect(!LogFormat.text.line(record("here")).contains("\u{1B}"))
  }

  @Test(arguments: [
    (LogLevel.trace, "\u{1B}[2m trace    "), (.debug, "\u{1B}[2m debug    "),
    (.info, "\u{1B}[32m info     "), (.notice, "\u{1B}[36m notice   "),
    (.warning, "\u{1B}[33m warning  "), (.error, "\u{1B}[31m error    "),
    (.critical, "\u{1B}[1;31m critical "),
  ])
  func `the text log format has a color for each level`(level: LogLevel, shown: String) {
    let line = LogFormat(.text, color: .always).line(record("here", [:], level, at: 0))
    #expect(line == "\u{1B}[2m2001-01-01T00:00:00.000000Z\u{1B}[0m\(shown)\u{1B}[0mhere\n")
  }

  @Test func `a log format shows a record's source only if showsSource is set`() throws {
    let text = LogFormat(.text, showsSource: true).line(record("a"))
    #expect(text.hasSuffix("info     a (Shop/Till.swift:3 pay(_:))\n"))
    let pairs = try Logfmt.read(LogFormat(.logfmt, showsSource: true).line(record("a")))
    #expect(pairs["source"] == "Shop/Till.swift:3" && pairs["function"] == "pay(_:)")
    let json = try object(LogFormat(.json, showsSource: true).line(record("a")))
    #expect(json["source"] as? String == "Shop/Till.swift:3")
    #expect(json["function"] as? String == "pay(_:)")
  }

  @Test func `the hostile text in a JSON log line is read back unchanged by Foundation`() throws {
    let hostile = Hostile.texts.joined(separator: "|")
    let line = LogFormat.json.line(
      record(
        "\(hostile)",
        [
          "text": hostile, hostile: 1, "double": 1.5, "nan": Double.nan, "yes": true,
          "list": [1, 2], "in": ["deep": ["er": "x"] as AmbientFields] as AmbientFields,
        ]))
    let json = try object(line)
    #expect(json["message"] as? String == hostile)
    #expect(json["level"] as? String == "info")
    #expect((json["time"] as? String)?.hasPrefix("2001-01-01T00:00:00.12345") == true)
    let metadata = try #require(json["metadata"] as? [String: Any])
    #expect(metadata["text"] as? String == hostile)
    #expect(metadata[hostile] as? Int == 1)
    #expect(metadata["double"] as? Double == 1.5)
    #expect(metadata["nan"] as? String == "nan")
    #expect(metadata["yes"] as? Bool == true)
    #expect(metadata["list"] as? [Int] == [1, 2])
    #expect(((metadata["in"] as? [String: Any])?["deep"] as? [String: String]) == ["er": "x"])
    #expect(try object(LogFormat.json.line(record("a"))).keys.contains("metadata") == false)
  }

  @Test(arguments: ["msg", "time", "level", "source", "function"])
  func `in logfmt, only top-level fields with a reserved name get the prefix metadata`(name: String)
  {
    let fields: AmbientFields = [
      name: 1, "\(name)s": 2, String(name.dropLast()): 3, "a": [name: 4] as AmbientFields,
    ]
    let (longer, shorter) = ("\(name)s=2", "\(name.dropLast())=3")
    #expect(
      LogFormat.logfmt.line(record("a", fields))
        .hasSuffix(" msg=\"a\" metadata.\(name)=1 \(longer) \(shorter) a.\(name)=4\n"))
  }

  @Test func `the hostile text in a logfmt line is read back unchanged`() throws {
    let hostile = Hostile.texts.joined(separator: "|")
    let pairs = try Logfmt.read(
      LogFormat.logfmt.line(
        record(
          "\(hostile)",
          [
            "text": hostile, "n": 1, "level": "forged", "empty": "", "list": ["a", "b\"c"],
            "in": ["deep": ["er": "x y"] as AmbientFields] as AmbientFields,
          ])))
    #expect(pairs["msg"] == hostile)
    #expect(pairs["level"] == "info")
    #expect(pairs["metadata.level"] == "forged")
    #expect(pairs["text"] == hostile)
    #expect(pairs["n"] == "1" && pairs["empty"] == "")
    #expect(pairs["in.deep.er"] == "x y")
    #expect(pairs["list"] == #"["a","b\"c"]"#)
  }

  @Test(arguments: LogFormat.Layout.allCases)
  func `a log record with hostile text stays on one line`(layout: LogFormat.Layout) {
    let format = LogFormat(layout, showsSource: true)
    var all = Data()
    for text in Hostile.texts {
      let hostile = record("\(text)\(utf8: [0xFF, 0x0A])", [text: text, "in": [text: [text]]])
      format.withLine(hostile) { all.append(contentsOf: $0) }
    }
    #expect(all.filter { $0 == 0x0A }.count == Hostile.texts.count)
    #expect(all.allSatisfy { $0 == 0x0A || $0 >= 0x20 && $0 != 0x7F })
    let read = String(decoding: all, as: UTF8.self)
    #expect(Data(read.utf8) == all, "what is no UTF-8 is escaped")
    #expect(read.unicodeScalars.allSatisfy { !Hostile.lineEnds.contains($0) || $0 == "\n" })
  }

  @Test func `log timestamps are written in the chosen time zone`() throws {
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    let summer = 1_782_864_000.0 - 978_307_200  // 2026-07-01T00:00:00Z
    let winter = summer + 180 * 86_400
    let format = LogFormat(.text, zone: .timeZone(zone))
    for _ in 0..<2 {
      #expect(
        format.line(record("a", at: summer + 0.5)).hasPrefix("2026-06-30T20:00:00.500000-04:00 "))
      #expect(format.line(record("a", at: winter)).hasPrefix("2026-12-27T19:00:00.000000-05:00 "))
    }
    let east = try #require(TimeZone(secondsFromGMT: 19_800))
    #expect(
      LogFormat(.json, zone: .timeZone(east)).line(record("a", at: summer))
        .hasPrefix(#"{"time":"2026-07-01T05:30:00.000000+05:30","#))
    #expect(format.zone == .timeZone(zone) && format != .text)
  }

  @Test(arguments: [
    (3_600, 252_423_993_599.0, "9999-12-31T23:59:59.000000+01:00"),
    (-3_600, -63_113_904_000, "0001-01-01T00:00:00.000000-01:00"),
    (3_600, -978_307_200, "1970-01-01T01:00:00.000000+01:00"),
    (0, 0, "2001-01-01T00:00:00.000000+00:00"), (60, 0, "2001-01-01T00:01:00.000000+00:01"),
    (-60, 0, "2000-12-31T23:59:00.000000-00:01"), (36_000, 0, "2001-01-01T10:00:00.000000+10:00"),
  ])
  func `log timestamps are correct in years 1 and 9999 and at small offsets from UTC`(
    ahead: Int, seconds: Double, time: String
  ) throws {
    let zone = try #require(TimeZone(secondsFromGMT: ahead))
    let format = LogFormat(.text, zone: .timeZone(zone))
    for _ in 0..<2 { #expect(format.line(record("a", at: seconds)) == "\(time) info     a\n") }
  }

  @Test(arguments: [".300000", ".000001", ".123456", ".671875", ".999999", ".000000", ".700003"])
  func `log timestamps keep the exact microsecond`(fraction: String) throws {
    let local = LogFormat(.text, zone: .timeZone(try #require(TimeZone(secondsFromGMT: 3_600))))
    for second in ["2026-11-27T05:00:00", "2026-11-27T05:00:01", "1999-11-27T05:59:59"] {
      let seconds = try Date(iso8601: "\(second)\(fraction)Z").timeIntervalSinceReferenceDate
      let line = LogFormat.text.line(record("a", at: seconds))
      #expect(line == "\(second)\(fraction)Z info     a\n")
      let later = second.replacing("T05", with: "T06")
      #expect(
        local.line(record("a", at: seconds)) == "\(later)\(fraction)+01:00 info     a\n")
    }
  }

  @Test func `log timestamps stay correct if dates and time zones alternate between records`()
    throws
  {
    let east = LogFormat(.text, zone: .timeZone(try #require(TimeZone(secondsFromGMT: 3_600))))
    for _ in 0..<3 {
      for (seconds, utc, local) in [
        (0, "2001-01-01T00:00:00.000000Z", "2001-01-01T01:00:00.000000+01:00"),
        (0.999_999_9, "2001-01-01T00:00:00.999999Z", "2001-01-01T01:00:00.999999+01:00"),
        (1, "2001-01-01T00:00:01.000000Z", "2001-01-01T01:00:01.000000+01:00"),
        (-0.25, "2000-12-31T23:59:59.750000Z", "2001-01-01T00:59:59.750000+01:00"),
        (-3_600, "2000-12-31T23:00:00.000000Z", "2001-01-01T00:00:00.000000+01:00"),
      ] {
        #expect(LogFormat.text.line(record("a", at: seconds)).hasPrefix("\(utc) "))
        #expect(east.line(record("a", at: seconds)).hasPrefix("\(local) "))
      }
    }
  }

  @Test func `local log timestamps use the process's time zone`() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
      tzset()
      let line = LogFormat(.text, zone: .local).line(
        LogRecord(
          date: Date(timeIntervalSince1970: 1_782_864_000), level: .info, message: "a",
          metadata: [:], source: SourcePlace(fileID: "A/B", function: "c", line: 1)))
      #expect(line == "2026-07-01T02:00:00.000000+02:00 info     a\n")
    }
  }

  @Test func `formatting a log record with a date outside years 1 to 9999 doesn't crash`() {
    for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300, .greatestFiniteMagnitude] {
      for zone in [LogZone.utc, .local] {
        #expect(
          LogFormat(.text, zone: zone).line(record("a", at: seconds)).hasSuffix("info     a\n"))
      }
    }
  }

  @Test(arguments: [
    (252_423_993_600.0, "9999-12-31T23:59:59.999999Z"), (1e300, "9999-12-31T23:59:59.999999Z"),
    (.infinity, "9999-12-31T23:59:59.999999Z"), (-63_113_904_001, "0001-01-01T00:00:00.000000Z"),
    (-1e300, "0001-01-01T00:00:00.000000Z"), (-.infinity, "0001-01-01T00:00:00.000000Z"),
    (.nan, "0001-01-01T00:00:00.000000Z"),
  ])
  func `a log record with a date outside years 1 to 9999 gets the nearest valid timestamp`(
    seconds: Double, time: String
  ) {
    #expect(LogFormat.text.line(record("a", at: seconds)) == "\(time) info     a\n")
    #expect(
      LogFormat.logfmt.line(record("a", at: seconds)) == "time=\(time) level=info msg=\"a\"\n")
    #expect(
      LogFormat.json.line(record("a", at: seconds)).hasPrefix("{\"time\":\"\(time)\",\"level\":"))
  }

  @Test func `formatting log fields nested 1,000 levels deep doesn't crash and gives valid JSON`()
    throws
  {
    var value = AmbientValue.integer(1)
    for _ in 0..<1_000 { value = .fields(["a": AmbientValue.array([value])]) }
    for layout in LogFormat.Layout.allCases {
      #expect(LogFormat(layout).line(record("a", ["deep": value])).hasSuffix("\n"))
    }
    _ = try object(LogFormat.json.line(record("a", ["deep": value])))
  }

  @Test func `log field values nested deeper than 64 levels become null in each log format`() throws
  {
    for (levels, inner) in [(64, "1"), (65, "null")] {
      var value = AmbientValue.integer(1)
      for _ in 0..<levels { value = .array([value]) }
      let shown =
        String(repeating: "[", count: levels) + inner + String(repeating: "]", count: levels)
      let arrays = record("a", ["a": value])
      #expect(LogFormat.json.line(arrays).contains("\"a\":\(shown)"))
      #expect(LogFormat.text.line(arrays).contains(" a=\(shown)\n"))
      #expect(LogFormat.logfmt.line(arrays).contains(" a=\(shown)\n"))
      var group = AmbientValue.integer(1)
      for _ in 0..<levels { group = .fields(["f": group]) }
      let name = "a" + String(repeating: ".f", count: levels)
      let groups = record("a", ["a": group])
      #expect(try Logfmt.read(LogFormat.logfmt.line(groups))[name] == inner)
      let json = LogFormat.json.line(groups)
      #expect(json.contains("\"f\":\(inner)}") && json.count { $0 == "{" } == levels + 2)
    }
  }

  @Test
  func `the text and logfmt formats replace invalid characters in field names by underscores`()
    throws
  {
    let names = ["a b", "\u{FFFD}", "x\u{FFFD}é", "q\"", "e=", "new\nline", ""]
    for name in names {
      let line = LogFormat.logfmt.line(record("a", [name: 1]))
      let written = try #require(try Logfmt.read(line).first { $0.value == "1" }).key
      #expect(
        written.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "\u{FFFD}" })
      #expect(!written.isEmpty)
      let json = try object(LogFormat.json.line(record("a", [name: 1])))
      #expect((json["metadata"] as? [String: Int]) == [name: 1])
    }
    #expect(LogFormat.text.line(record("a", ["x\u{FFFD}é": 1])).hasSuffix(" x_é=1\n"))
    #expect(LogFormat.text.line(record("a", ["": 1])).hasSuffix(" a _=1\n"))
    #expect(LogFormat.logfmt.line(record("a", ["": 1])).hasSuffix(" msg=\"a\" _=1\n"))
    // Blanks beyond ASCII would make two names of one.
    for blank in ["\u{A0}", "\u{2003}", "\u{3000}", "\u{2800}"] {
      let fields = record("a", ["x\(blank)level": 1])
      #expect(LogFormat.text.line(fields).hasSuffix(" x_level=1\n"))
      #expect(LogFormat.logfmt.line(fields).contains(" x_level=1"))
    }
  }

  @Test func `in a log field, a date outside years 1 to 9999 is described in words`() throws {
    for (seconds, text) in [
      (Double.nan, "no date (nan)"), (.infinity, "beyond year 9999 (inf s after 1970)"),
      (252_423_993_600, "beyond year 9999 (253402300800.0 s after 1970)"),
      (-63_113_904_001, "before year 1 (62135596801.0 s before 1970)"),
      (252_423_993_599, "9999-12-31T23:59:59.000Z"), (-63_113_904_000, "0001-01-01T00:00:00.000Z"),
    ] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let record = record("at \(date)", ["date": date])
      let json = try object(LogFormat.json.line(record))
      #expect(json["metadata"] as? [String: String] == ["date": text])
      #expect(json["message"] as? String == "at \(text)")
      #expect(try Logfmt.read(LogFormat.logfmt.line(record))["date"] == text)
      let shown = text.contains(" ") ? "\"\(text)\"" : text
      #expect(LogFormat.text.line(record).hasSuffix(" date=\(shown)\n"))
    }
  }

  @Test func `the JSON log format writes the largest integers as numbers`() throws {
    let line = LogFormat.json.line(
      record("a", ["big": UInt64.max, "low": Int64.min, "text": "1", "no": "null", "d": 1e300]))
    #expect(
      line.hasSuffix(
        #"{"big":18446744073709551615,"low":-9223372036854775808,"text":"1","no":"null","d":1e+300}}"#
          + "\n"))
  }

  @Test(arguments: LogFormat.Layout.allCases)
  func `a log format is parsed from its name`(layout: LogFormat.Layout) throws {
    #expect(try LogFormat(name: layout.rawValue) == LogFormat(layout))
  }

  private func object(_ line: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test(arguments: [
    ("signed in user=bob level=critical", "\"signed in user=bob level=critical\""),
    ("user=bob", "\"user=bob\""), ("said \"a\" b=1\n", "\"said \\\"a\\\" b=1\\n\""),
    ("é=1", "\"é=1\""), ("À=1", "\"À=1\""), ("é =1", "é =1"), ("a =1", "a =1"), ("=a", "=a"),
    ("a==", "\"a==\""),
    ("x = 1", "x = 1"), ("=", "="), ("a\"=1", "a\"=1"), ("a \"b\" \\", "a \"b\" \\"), ("", ""),
    (
      "a message of more than sixteen bytes = no name",
      "a message of more than sixteen bytes = no name"
    ),
    ("a message of more than sixteen bytes, c=1", "\"a message of more than sixteen bytes, c=1\""),
  ])
  func `the text log format quotes a message that could be parsed as a field`(
    text: String, shown: String
  ) {
    let record = LogRecord(
      date: Date(timeIntervalSince1970: 0), level: .info, message: LogMessage(text),
      metadata: ["ip": 1], source: SourcePlace(fileID: "a", line: 1))
    #expect(record.description == "1970-01-01T00:00:00.000000Z info     \(shown) ip=1")
  }

  @Test func `every kind of NaN is written as nan in log messages and fields`() {
    let values: [Double] = [.nan, .signalingNaN, -.nan, Double(nan: 7, signaling: false)]
    for value in values {
      let message: LogMessage =
        "\(value) \(value, format: .fixed(2)) \(Float(value)) \(value, name: "n") \([value], name: "l")"
      #expect(message.description == "nan nan nan nan [\"nan\"]")
      let fields: AmbientFields = ["n": value, "f": Float(value)]
      #expect(fields.description == "n=nan f=nan")
      #expect(AmbientValue.fields(fields).json == #"{"n":"nan","f":"nan"}"#)
    }
  }
}
