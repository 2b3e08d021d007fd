// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

/// A scope in which nothing goes on says so, and ends.
///
/// By themselves: they block or spin on threads of the pool, and wait for real time.
@Suite(.long, .serialized) struct `Stalled scopes` {
  let journal = Timeline()

  @Test func `a stall report names a scope's body that yields forever`() async throws {
    let isSet = Timeline()
    let text = try await Stall.text { _ in
      while isSet.lines.isEmpty { await Task.yield() }
    }
    isSet.note("set")
    #expect(
      text.contains(": \(Stall.body), which \(ScopeSnapshot.repeats), since uptime 0.0 seconds. "))
  }

  @MainActor private static func yield(until isSet: Timeline) async {
    while isSet.lines.isEmpty { await Task.yield() }
  }

  @Test func `a stall report names a task that yields forever on the main actor`() async throws {
    let isSet = Timeline()
    let text = try await Stall.text { _ in
      await Time.task(name: "spinner") { await Self.yield(until: isSet) }.value
    }
    isSet.note("set")
    #expect(text.contains("Time.task “spinner” at AmbientVirtualTimeTests/StallTests.swift:"))
    #expect(text.contains(", which \(ScopeSnapshot.repeats)"))
  }

  @Test func `a stall report names a scope's body that advances virtual time by zero forever`()
    async throws
  {
    let text = try await Stall.text { time in
      while true { try await time.advance(by: .zero) }
    }
    #expect(text.contains("\(Stall.body), which \(ScopeSnapshot.repeats)"))
  }

  @Test func `a stall report names a task that yields forever after the scope's body has ended`()
    async throws
  {
    let isSet = Timeline()
    let text = try await Stall.text { _ in
      Time.task(name: "spinner") { while isSet.lines.isEmpty { await Task.yield() } }
    }
    isSet.note("set")
    #expect(text.contains("Time.task “spinner” at AmbientVirtualTimeTests/StallTests.swift"))
    #expect(!text.contains("the body of the scope"))
  }

  @Test
  func `a stall report lists the blocking task first, then the tasks queued behind that task`()
    async throws
  {
    let semaphore = DispatchSemaphore(value: 0)
    @Sendable func block() { semaphore.wait() }
    let text = try await Stall.text { _ in
      await Time.task(name: "ended") {}.value
      let blocker = Time.task(name: "blocker") { block() }
      for name in ["second", "third"] { Time.task(name: name) {} }
      await blocker.value
    }
    semaphore.signal()
    let names = text.matches(of: /“(\w+)”/).map { String($0.output.1) }
    #expect(names == ["blocker", "second", "third"], "\(text)")
    #expect(text.contains("Time.task “blocker” at AmbientVirtualTimeTests/StallTests.swift:"))
    #expect(text.contains(", which \(ScopeSnapshot.blocks)"))
  }

  @Test func `a scope whose body blocks its thread stalls even if the scope's patience is long`()
    async throws
  {
    let semaphore = DispatchSemaphore(value: 0)
    @Sendable func block() { semaphore.wait() }
    let text = try await Stall.text(patience: .seconds(300)) { _ in block() }
    semaphore.signal()
    #expect(text.contains(": \(Stall.body), which \(ScopeSnapshot.blocks)"))
  }

  @Test func `a stall report names a task that blocks the main queue`() async throws {
    let semaphore = DispatchSemaphore(value: 0)
    @Sendable func block() { semaphore.wait() }
    let text = try await Stall.text { _ in
      await Time.task(name: "blocker") { @MainActor in block() }.value
    }
    semaphore.signal()
    #expect(text.contains("Time.task “blocker” at AmbientVirtualTimeTests/StallTests.swift:"))
    #expect(text.contains(", which \(ScopeSnapshot.blocks)"))
  }

  @Test func `a stall report names an open Time.hold and a sleeping child task`() async throws {
    let text = try await Stall.text { _ in
      await Time.hold {}
      try await Time.hold {
        async let child: Void = Time.sleep(for: .seconds(5))
        try await child
      }
    }
    #expect(
      text.matches(of: /a Time.hold at AmbientVirtualTimeTests\/StallTests.swift/).count == 1,
      "one has ended")
    #expect(text.contains("sleeps for 5.0 seconds"))
    #expect(text.contains("\(Stall.body), since uptime 0.0 seconds; a Time.hold at"))
    #expect(text.contains("2026-11-27T00:00:05.000Z, since uptime 0.0 seconds"))
  }

  @Test
  func `a stall report names an advance that waits, and states how many sleepers are missing`()
    async throws
  {
    let place = SourcePlace(fileID: #fileID, line: #line + 6)
    let errors = Guarded<[VirtualTimeError?]>([])
    let text = try await Stall.text { time in
      Time.task { try await Time.sleep(for: .seconds(5)) }
      for round in 1...2 {
        do {
          try await time.advance(by: .seconds(1), sleepers: 2)
        } catch let error as VirtualTimeError where round == 1 {
          errors.withLock { $0.append(error) }
          let expected = VirtualTimeError(
            .missingSleepers(
              caller: place, expected: 2, sleepers: time.sleepers, after: Stall.limit))
          #expect(error == expected)
        }
      }
    }
    let error = errors.withLock { $0.first ?? nil }?.description ?? ""
    #expect(error.hasPrefix("\(place) "))
    #expect(error.contains(" 1: AmbientVirtualTimeTests/StallTests.swift:"))
    #expect(
      text.contains("an advance at \(place), since uptime 0.0 seconds, with 1 of 2 sleepers"))
  }

  @Test func `a stall report names an advance that waits for a Time.hold`() async throws {
    let place = SourcePlace(fileID: #fileID, line: #line + 7)
    let text = try await Stall.text { time in
      let holder = Time.task {
        await Time.hold { while !Task.isCancelled { try? await Task.sleep(for: .seconds(5)) } }
      }
      await Task.yield()
      defer { holder.cancel() }
      try await time.advance(by: .seconds(1))
    }
    #expect(text.contains("a Time.hold at AmbientVirtualTimeTests/StallTests.swift"))
    #expect(text.contains("an advance at \(place), since uptime 0.0 seconds"))
  }

  @Test func `a stalled inner scope ends, and the outer scope continues`() async throws {
    try await Diagnostics.withInstance(.calling { journal.note($0.kind.rawValue) }) {
      try await Time.virtual(from: start, limit: .milliseconds(100)) { _ in
        let error = await #expect(throws: VirtualTimeError.self) {
          try await Time.virtual(from: start, limit: Stall.limit) { _ in
            while !Task.isCancelled { await Task.yield() }
          }
        }
        #expect(error?.isStall == true, "\(error as Any)")
        try await Time.sleep(for: .seconds(1))
        journal.stamp("went on")
      }
    }
    #expect(journal.lines == ["stalled", "1.0 went on"])
  }

  @Test func `a virtual time scope continues if its body handles a failed advance`() async throws {
    try await Diagnostics.withInstance(.calling { journal.note($0.kind.rawValue) }) {
      try await Time.virtual(from: start, limit: Stall.limit) { time in
        for _ in 1...2 {
          let error = await #expect(throws: VirtualTimeError.self) {
            try await time.advance(by: .seconds(1), sleepers: 1)
          }
          #expect(error?.code == .missingSleepers)
          try await time.advance(by: .seconds(1))
          journal.stamp("went on")
        }
      }
    }
    #expect(journal.lines == ["stalled", "1.0 went on", "stalled", "2.0 went on"])
  }

  @Test func `a virtual time scope stalls if its body retries a failed advance forever`()
    async throws
  {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Diagnostics.withInstance(.calling { journal.note($0.kind.rawValue) }) {
        try await Time.virtual(from: start, limit: Stall.limit) { time in
          while !Task.isCancelled { try? await time.advance(by: .seconds(1), sleepers: 1) }
        }
      }
    }
    #expect(error?.isStall == true, "\(error as Any)")
    #expect(journal.lines == ["stalled", "stalled"])
  }

  @Test func `a virtual time scope whose body keeps cancelling sleeps doesn't stall`()
    async throws
  {
    try await Time.virtual(from: start, limit: Stall.limit) { time in
      let end = ContinuousClock.now + Stall.limit * 5
      while ContinuousClock.now < end {
        let sleeper = Time.task { try await Time.sleep(for: .seconds(1)) }
        await Task.yield()
        sleeper.cancel()
        _ = await sleeper.result
      }
      #expect(time.uptime == .zero)
    }
  }

  @Test func `under the virtualTime trait, a stalled scope records one test issue`() async throws {
    let texts = Guarded<[String]>([])
    try await withKnownIssue {
      try await AmbientTrait.virtualTime(from: start, limit: Stall.limit).provideScope(
        for: #require(Test.current), testCase: Test.Case.current
      ) { [journal] in
        Diagnostics.instance = .calling { journal.note($0.kind.rawValue) }
        while !Task.isCancelled { await Task.yield() }
      }
    } matching: { issue in
      texts.withLock { $0.append("\(issue.error as Any)") }
      return true
    }
    let found = texts.withLock { $0 }
    #expect(found.count == 1)
    #expect(found.first?.contains(", which \(ScopeSnapshot.repeats)") == true)
    #expect(journal.lines == ["stalled"])
  }

  @Test func `under the virtualTime trait, a deadlock and a later stall record two test issues`()
    async throws
  {
    let texts = Guarded<[String]>([])
    let isSet = Timeline()
    let test = try #require(Test.current)
    try await withKnownIssue {
      try await AmbientTrait.virtualTime(from: start, limit: Stall.limit).provideScope(
        for: test, testCase: Test.Case.current
      ) { [journal] in
        Diagnostics.instance = .calling { journal.note($0.kind.rawValue) }
        let (stream, feed) = AsyncStream<Int>.makeStream()
        Time.task {
          for await _ in stream {}
          while isSet.lines.isEmpty { await Task.yield() }
        }
        for await _ in stream {}
        withExtendedLifetime(feed) {}
      }
    } matching: { issue in
      texts.withLock { $0.append("\(issue.error.map(String.init(describing:))?.prefix(8) ?? "")") }
      return true
    }
    isSet.note("set")
    #expect(texts.withLock { $0 } == ["deadlock", "stalled:"])
  }

  #if os(Linux)
    @Test(arguments: [true, false])
    func `a suspended process is not reported as stalled`(isHeld: Bool) async {
      await #expect(processExitsWith: .success) { [isHeld] in
        let waker = try Waker()
        try await Time.virtual(from: start, limit: .milliseconds(800)) { _ in
          isHeld ? await Time.hold { await waker.stopProcess() } : await waker.stopProcess()
        }
      }
    }

    /// A process that lets this one go on a second after it was stopped, as a debugger does.
    private final class Waker: Sendable {
      private let input: FileHandle

      init() throws {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "read go; while sleep 1 && kill -CONT \(getpid()); do :; done"]
        process.standardInput = pipe
        try process.run()
        input = pipe.fileHandleForWriting
      }

      func stopProcess() async {
        await Outside.wait {
          let stop = ContinuousClock.now
          self.input.write(Data("go\n".utf8))
          kill(getpid(), SIGSTOP)
          // This thread may go on for a moment before the signal stops it.
          while stop.duration(to: .now) < .milliseconds(900) { usleep(1_000) }
        }
      }
    }
  #endif
}
