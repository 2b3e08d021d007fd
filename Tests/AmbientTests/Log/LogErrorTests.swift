// SPDX-License-Identifier: Apache-2.0

import AmbientTesting
import Foundation
import Testing

@testable import Ambient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.isolatedAmbients)
struct `Logged errors` {
  private enum Refused: Error {
    case limit(Int)
    case by(bank: any Error)
  }
  private struct Wrapped: Error, CustomStringConvertible {
    var cause: (any Error)?
    var depth = 0
    var description: String { depth == 0 ? "wrapped \"it\"" : "wrapped \(depth)" }
  }
  private struct Several: Error {
    var list: [any Error] = []
    var byName: [String: any Error] = [:]
  }
  /// A value that is no error, and an object that is none.
  private struct Part<Content: Sendable>: Sendable { let content: Content }
  private final class Box: Sendable {
    let cause: any Error
    init(_ cause: any Error) { self.cause = cause }
  }
  private enum Reason: Sendable { case refused(Refused) }
  /// An error that is a value, and one that is an object.
  private struct Failure<Content: Sendable>: Error { let content: Content }
  private final class FailedObject<Content: Sendable>: Error {
    let content: Content
    init(_ content: Content) { self.content = content }
  }
  private final class Ring: Error, CustomReflectable {
    let next = Guarded<Ring?>(nil)
    var customMirror: Mirror { Mirror(self, children: ["next": next.withLock { $0 } as Any]) }
  }
  private struct Self_: Error, CustomStringConvertible {
    var description: String { "itself: \(AmbientValue.error(self))" }
  }
  private struct Logging: Error, CustomStringConvertible {
    var description: String {
      Log.error("again", error: self)
      return "logging"
    }
  }

  let recorder = LogRecorder()

  init() { Log.instance = recorder }

  @Test func `the type, message and causes of a logged error become OpenTelemetry fields`() {
    Log.error("failed", ["order": 7], error: Wrapped(cause: Refused.by(bank: Refused.limit(3))))
    let fields = recorder.records[0].metadata
    #expect(
      fields.map(\.name) == [
        "exception.type", "exception.message", "exception.causes", "order",
      ])
    #expect(fields["exception.type"].map { "\($0)" }?.contains("Wrapped") == true)
    #expect(fields["exception.type"].map { "\($0)" }?.contains("unknown context") == false)
    #expect(fields["exception.message"] == "wrapped \"it\"")
    #expect(fields["order"] == 7)
    let messages = causes(in: fields)
    #expect(messages.count == 2 && messages[1] == "limit(3)")
  }

  @Test func `a logged error of a class type has a causes field only if the error has causes`() {
    #expect(causes(FailedObject(Refused.limit(1))) == ["limit(1)"])
    let names = ["exception.type", "exception.message"]
    #expect(AmbientFields(FailedObject(7)).map(\.name) == names)
  }

  @Test func `a logged error of a value type has no causes field if the error has no causes`() {
    #expect(
      AmbientFields(Refused.limit(1)).map(\.name) == ["exception.type", "exception.message"])
  }

  @Test func `the fields of a logged error appear in each log format`() throws {
    let record = LogRecord(
      date: Date(timeIntervalSinceReferenceDate: 0), level: .error, message: "failed",
      metadata: AmbientFields(Refused.limit(3)).merging(["why": .error(CocoaError(.userCancelled))]
      ),
      source: SourcePlace(fileID: "Shop/Till.swift", line: 3))
    let pairs = try Logfmt.read(LogFormat.logfmt.line(record))
    #expect(pairs["exception.message"] == "limit(3)")
    #expect(pairs["why.exception.type"]?.hasSuffix("CocoaError") == true)
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(LogFormat.json.line(record).utf8))
        as? [String: Any])
    let metadata = try #require(json["metadata"] as? [String: Any])
    #expect(metadata["exception.message"] as? String == "limit(3)")
    #expect(LogFormat.text.line(record).contains(" exception.message=limit(3) "))
  }

  @Test func `an error can be logged at each level by static and instance methods of Log`() {
    let error = Refused.limit(1)
    let none: (any Error)? = nil
    Log.warning("a", error: error)
    Log.error("b", error: error)
    Log.critical("c", error: error)
    Log.log(.notice, "d", error: error)
    recorder.warning("e", error: error)
    recorder.error("f", error: error)
    recorder.critical("g", error: error)
    recorder.log(.info, "h", error: error)
    Log.trace("t", error: error)
    Log.debug("t", error: error)
    Log.info("t", error: error)
    Log.notice("t", error: error)
    recorder.trace("t", error: error)
    recorder.debug("t", error: error)
    recorder.info("t", error: error)
    recorder.notice("t", error: error)
    Log.error("i", ["order": 1], error: none)
    let low = [String](repeating: "t", count: 8)
    #expect(recorder.messages == ["a", "b", "c", "d", "e", "f", "g", "h"] + low + ["i"])
    #expect(
      recorder.records.map(\.level) == [
        .warning, .error, .critical, .notice, .warning, .error, .critical, .info, .trace, .debug,
        .info, .notice, .trace, .debug, .info, .notice, .error,
      ])
    #expect(
      recorder.records.dropLast().allSatisfy { $0.metadata["exception.message"] == "limit(1)" })
    #expect(recorder.records.last?.metadata == ["order": 1])
  }

  @Test func `an error that is logged below the log's level is not described`() {
    struct Asked: Error, AmbientValueConvertible, CustomStringConvertible {
      var description: String { fail() }
      var ambientValue: AmbientValue { .string(fail()) }
      private func fail() -> String {
        Issue.record("it was asked")
        return ""
      }
    }
    let log = LogRecorder(level: .error)
    Log.withInstance(log) { Log.warning("a", error: Asked()) }
    log.warning("a", error: Asked())
    Log.withInstance(NoLog()) { Log.critical("a", error: Asked()) }
    #expect(log.messages == [])
  }

  @Test func `logged Foundation errors keep their causes, messages and types`() {
    let inner = NSError(domain: "inner", code: 7)
    let outer = NSError(domain: "outer", code: 8, userInfo: [NSUnderlyingErrorKey: inner])
    let causes = AmbientValue.error(outer).description
    #expect(causes.contains("outer") && causes.contains("inner"))
    struct Localized: LocalizedError { var errorDescription: String? { "said for people" } }
    #expect(AmbientFields(Localized())["exception.message"] == "said for people")
    do {
      _ = try JSONDecoder().decode([Int].self, from: Data("[".utf8))
    } catch {
      #expect(AmbientFields(error)["exception.type"] == "Swift.DecodingError")
    }
  }

  @Test func `the causes of a logged error are cut off at a cycle and after 8 causes`() {
    let (one, two) = (Ring(), Ring())
    one.next.withLock { $0 = two }
    two.next.withLock { $0 = one }
    #expect(causes(one).count == 1)
    var chain = Wrapped()
    for depth in 1...1_000 { chain = Wrapped(cause: chain, depth: depth) }
    #expect(causes(chain).count == 8)
  }

  private func causes(_ error: any Error) -> [AmbientValue?] { causes(in: AmbientFields(error)) }

  private func causes(in fields: AmbientFields) -> [AmbientValue?] {
    guard case .array(let causes)? = fields["exception.causes"] else { return [] }
    return causes.map { cause in
      guard case .fields(let fields) = cause else { return nil }
      return fields["exception.message"]
    }
  }

  @Test func `a logged error lists each cause once`() {
    #expect(
      causes(Several(list: [Refused.limit(1), Refused.limit(1), Refused.limit(2)]))
        == ["limit(1)", "limit(2)"])
    // What says the same is passed through, since something else may lie behind it.
    let wrapped = Wrapped(cause: Wrapped(cause: Wrapped(cause: Refused.limit(3))))
    #expect(causes(wrapped) == ["limit(3)"])
    let ring = Ring()
    #expect(causes(Several(list: [ring, ring])).count == 1)
  }

  @Test
  func `a logged error lists causes in structs, optionals, tuples and enums that it contains`() {
    let cause = Refused.limit(1)
    let part = Part(content: cause)
    #expect(causes(FailedObject(part)) == ["limit(1)"])
    #expect(causes(FailedObject(Optional(part))) == ["limit(1)"])
    #expect(causes(FailedObject((7, cause))) == ["limit(1)"])
    #expect(causes(FailedObject(Reason.refused(cause))) == ["limit(1)"])
    #expect(causes(Failure(content: part)) == ["limit(1)"])
    #expect(causes(Failure(content: Optional(part))) == ["limit(1)"])
    #expect(causes(Failure(content: (7, cause))) == ["limit(1)"])
    #expect(causes(Failure(content: Reason.refused(cause))) == ["limit(1)"])
  }

  @Test func `a logged error omits causes in class instances and causes deeper than three levels`()
  {
    let cause = Refused.limit(1)
    #expect(causes(Failure(content: Box(cause))) == [])
    #expect(causes(FailedObject(Box(cause))) == [])
    #expect(causes(Failure(content: Part(content: Box(cause)))) == [])
    let second = Part(content: Part(content: cause))
    #expect(causes(Failure(content: second)) == ["limit(1)"])
    #expect(causes(Failure(content: Part(content: second))) == [])
  }

  @Test @MainActor
  func `a logged error lists a cause that is stored in a property of its superclass`() {
    #expect(causes(FailedWorse(Refused.limit(1))) == ["limit(1)"])
  }

  @Test func `a logged CocoaError or URLError lists its underlying error`() {
    let disk = NSError(domain: "disk", code: 5)
    for error in [
      CocoaError(.fileNoSuchFile, userInfo: [NSUnderlyingErrorKey: disk]),
      URLError(.timedOut, userInfo: [NSUnderlyingErrorKey: disk]),
    ] as [any Error] {
      let found = causes(error)
      #expect(found.count == 1 && found.first??.description.contains("disk") == true, "\(error)")
    }
  }

  @Test func `a logged error lists causes that it contains in dictionaries and arrays`() {
    #expect(
      causes(Several(byName: ["b": Refused.limit(2), "a": Refused.limit(1)]))
        == ["limit(1)", "limit(2)"])
    let several = NSError(
      domain: "outer", code: 1,
      userInfo: [
        "NSMultipleUnderlyingErrorsKey": [
          NSError(domain: "one", code: 1), NSError(domain: "two", code: 2),
        ], "more": 7,
      ])
    #expect(causes(several).count == 2)
  }

  @Test func `if the description of an error logs the error again, the recursion is cut off`() async
  {
    #expect("\(AmbientValue.error(Self_()))".contains("("))
    await #expect(processExitsWith: .success) {
      let recorder = LogRecorder()
      Log.instance = recorder
      Log.error("first", error: Logging())
      #expect(recorder.messages == ["again", "again", "again", "again", "first"])
    }
  }

  @Test func `the logged message of an NSError has its domain, code and text but no file path`()
    throws
  {
    let path = "/nonexistent/folder/file"
    let thrown = #expect(throws: (any Error).self) { try Data(contentsOf: URL(filePath: path)) }
    let missing = try #require(thrown)
    let refused = NSError(
      domain: "shop", code: 7,
      userInfo: [NSLocalizedDescriptionKey: "refused", NSFilePathErrorKey: path])
    let bare = NSError(domain: "shop", code: 8)
    let fields = [missing, refused, bare].map { AmbientFields($0) }
    #expect(fields.allSatisfy { !"\($0)".contains("nonexistent") }, "\(fields)")
    let messages = fields.map { field -> String in
      if case .string(let text)? = field["exception.message"] { text } else { "" }
    }
    #expect(messages[0].hasPrefix("Error Domain=NSCocoaErrorDomain Code=260 \""), "\(messages)")
    #expect(messages[1] == "Error Domain=shop Code=7 \"refused\"")
    #expect(messages[2].hasPrefix("Error Domain=shop Code=8 \"(null)\""), "\(messages)")
  }
}

@MainActor
private class Failed: Error {
  let cause: any Error

  init(_ cause: any Error) { self.cause = cause }
}

private final class FailedWorse: Failed {}
