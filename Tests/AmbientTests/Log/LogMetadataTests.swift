// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Synchronization
import Testing

@Suite(.isolatedAmbients)
struct `Log metadata` {
  let recorder = LogRecorder()

  init() { Log.instance = recorder }

  @Test func `scope metadata is added to each log record, and the call's fields override it`() {
    Log.withMetadata(["request": 7, "user": "ada"]) {
      Log.info("a")
      Log.info("b", ["user": "bob", "total": 3])
      Log.withMetadata(["request": 8]) { Log.info("c") }
    }
    Log.info("d")
    #expect(
      recorder.records.map(\.metadata) == [
        ["request": 7, "user": "ada"], ["request": 7, "user": "bob", "total": 3],
        ["request": 8, "user": "ada"], [:],
      ])
  }

  @Test func `the metadata set by withMetadata applies in child tasks and captured scopes`() async {
    let scope = await Log.withMetadata(["request": 7]) {
      async let child: Void = Log.info("child")
      await child
      await Task { Log.info("task") }.value
      return AmbientScope.capture()
    }
    await Task.detached { scope.run { Log.info("carried") } }.value
    #expect(recorder.messages == ["child", "task", "carried"])
    #expect(recorder.records.allSatisfy { $0.metadata == ["request": 7] })
  }

  @Test func `assigned log metadata applies to all later records`() {
    Log.metadata = ["service": "shop"]
    Log.info("a")
    Log.withMetadata(["request": 1]) { Log.info("b") }
    #expect(Log.metadata == ["service": "shop"])
    AmbientScope.isolated {
      #expect(Log.metadata.isEmpty)
    }
    #expect(
      recorder.records.map(\.metadata) == [["service": "shop"], ["service": "shop", "request": 1]])
  }

  @Test func `log metadata assigned inside Log.withInstance is dropped when the block ends`() {
    Log.metadata = ["outer": 1]
    Log.withInstance(recorder) {
      Log.info("as outside")
      Log.metadata = ["inner": 2]
      Diagnostics.withInstance(Diagnostics()) { Log.info("assigned") }
      Log.withInstance(recorder) {
        Log.info("further in")
        Log.metadata = ["innermost": 3]
        Log.metadata = ["innermost": 4]
        Log.info("assigned there")
        Log.withMetadata(["more": 5]) {
          Log.withInstance(recorder) { Log.info("a scope between") }
        }
      }
      Log.info("back")
    }
    Log.info("outside")
    #expect(
      zip(recorder.messages, recorder.records).map { [$0: $1.metadata] } == [
        ["as outside": ["outer": 1]], ["assigned": ["inner": 2]], ["further in": ["inner": 2]],
        ["assigned there": ["innermost": 4]], ["a scope between": ["innermost": 4, "more": 5]],
        ["back": ["inner": 2]], ["outside": ["outer": 1]],
      ])
  }

  @Test func `a log metadata provider is called once for each accepted record`() {
    let asked = Counter()
    Log.metadataProvider = { ["trace": asked.next()] }
    recorder.level = .info
    Log.debug("not asked")
    Log.info("a")
    Log.withMetadata(["trace": "outer", "request": 1]) { Log.info("b") }
    Log.info("c", ["trace": "call"])
    #expect(Log.metadataProvider != nil)
    #expect(
      recorder.records.map(\.metadata) == [
        ["trace": 1], ["trace": 2, "request": 1], ["trace": "call"],
      ])
  }

  @Test func `a Log.withInstance block inherits log metadata and drops changes made inside`() async
  {
    Log.metadata = ["service": "shop"]
    Log.metadataProvider = { ["trace": 1] }
    Log.withInstance(recorder) {
      Log.info("inherited")
      Log.metadata = ["inside": true]
      Log.metadataProvider = nil
      Log.info("assigned inside")
    }
    await Log.withInstance(recorder) { () async in
      Log.metadata = ["inside": true]
      Log.metadataProvider = nil
    }
    Log.info("outside")
    #expect(
      recorder.records.map(\.metadata) == [
        ["service": "shop", "trace": 1], ["inside": true], ["service": "shop", "trace": 1],
      ])
  }

  @Test func `a log assigned inside a withMetadata block stays assigned after the block`() {
    let other = LogRecorder()
    Log.withMetadata(["request": 7]) { Log.instance = other }
    Log.info("to the other")
    #expect(other.messages == ["to the other"] && recorder.messages.isEmpty)
  }

  @Test func `withMetadata rethrows typed errors from its block`() async {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try Log.withMetadata(["a": 1]) { () throws(Failure) in throw Failure() }
    }
    await #expect(throws: Failure.self) {
      try await Log.withMetadata(["a": 1]) { () async throws(Failure) in throw Failure() }
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
