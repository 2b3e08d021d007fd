// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Context instances` {
  /// Counts how often its default was made; each test declares contexts of its own.
  final class Maker: Sendable {
    let made = Atomic<Int>(0)

    func make() -> String {
      made.add(1, ordering: .relaxed)
      return "default"
    }
  }

  @Test func `a context creates its default once, on the first read`() {
    let maker = Maker()
    let context = AmbientContext<String>("Test") { maker.make() }
    #expect(maker.made.load(ordering: .relaxed) == 0)
    #expect(context.instance == "default")
    #expect(context.instance == "default")
    #expect(maker.made.load(ordering: .relaxed) == 1)
  }

  @Test func `an AmbientContext with an assigned instance doesn't create its default`() {
    let maker = Maker()
    let context = AmbientContext<String>("Test") { maker.make() }
    context.instance = "mine"
    #expect(context.instance == "mine")
    #expect(context.withService { $0.count } == 4)
    #expect(maker.made.load(ordering: .relaxed) == 0)
  }

  @Test
  func `AmbientContext.assigned returns nil instead of creating the default instance`() {
    let maker = Maker()
    let context = AmbientContext<String>("Test") { maker.make() }
    #expect(context.assigned == nil)
    context.withInstance("bound") { #expect(context.assigned == "bound") }
    #expect(context.assigned == nil)
    AmbientScope.isolated {
      #expect(context.assigned == nil)
      context.instance = "inside"
      #expect(context.assigned == "inside")
    }
    context.instance = "mine"
    #expect(context.assigned == "mine")
    AmbientScope.isolated { #expect(context.assigned == nil) }
    #expect(maker.made.load(ordering: .relaxed) == 0)
  }

  @Test(.withoutSanitizer)
  func `a program can use 3,000 ambient contexts, inside and outside a scope`() {
    func use() {
      for number in 0..<3_000 {
        let context = AmbientContext<Int>("Test") { 1 }
        context.instance = number
        if context.instance != number { Issue.record("\(number) is lost") }
      }
    }
    use()
    AmbientScope.isolated(use)
  }

  @Test
  func `if two contexts' defaults read each other, the program stops and names the cycle`()
    async throws
  {
    enum Chicken {
      static let context = AmbientContext<String>("Chicken") { Egg.instance }
      static var instance: String { context.instance }
    }
    enum Egg {
      static let context = AmbientContext<String>("Egg") { Chicken.instance }
      static var instance: String { context.instance }
    }
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Chicken.instance
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        "Chicken.instance → Egg.instance → Chicken.instance"),
      "\(text)")
  }

  @Test func `a context's default can start a task that later reads the same context`() async {
    final class Worker: Sendable {
      static let context = AmbientContext<Worker>("Worker") { Worker() }
      let task: Task<Bool, Never>
      init() {
        task = Task {
          AmbientScope.isolated {
            AmbientScope.outside { Worker.context.withService { _ in true } }
          }
        }
      }
    }
    #expect(await Worker.context.instance.task.value)
    #expect(await AmbientScope.isolated { await Worker.context.instance.task.value })
  }

  @Test func `the instance of a context can be an existential or a closure`() {
    let texts = AmbientContext<any CustomStringConvertible & Sendable>("Texts") { 1 }
    let calls = AmbientContext<@Sendable (Int) -> Int>("Calls") { { $0 } }
    texts.instance = "text"
    calls.instance = { $0 * 2 }
    #expect(texts.withService { $0.description } == "text")
    #expect(calls.instance(21) == 42)
  }

  @Test
  func `withInstance binds an instance for its block and then restores the previous instance`() {
    let context = AmbientContext<String>("Test") { "default" }
    context.instance = "process"
    context.withInstance("outer") {
      context.withInstance("inner") { #expect(context.instance == "inner") }
      #expect(context.instance == "outer")
    }
    #expect(context.instance == "process")
  }

  @Test
  func `an assignment to a context ends with that context's innermost withInstance block`() {
    let context = AmbientContext<String>("Test") { "default" }
    let other = AmbientContext<String>("Other") { "default" }
    context.instance = "process"
    context.withInstance("outer") {
      other.withInstance("other") { context.instance = "assigned" }
      #expect(context.instance == "assigned")
    }
    #expect(context.instance == "process")
  }

  @Test func `withInstance rethrows typed errors`() {
    struct Refused: Error, Equatable { let by: String }
    let context = AmbientContext<String>("Test") { "default" }
    let error = #expect(throws: Refused.self) {
      try context.withInstance("bound") { () throws(Refused) in
        throw Refused(by: context.instance)
      }
    }
    #expect(error == Refused(by: "bound"))
    #expect(context.instance == "default")
  }

  @Test func `an asynchronous withInstance rethrows typed errors`() async {
    struct Refused: Error, Equatable { let by: String }
    let context = AmbientContext<String>("Test") { "default" }
    do throws(Refused) {
      try await context.withInstance("bound") { () async throws(Refused) in
        await Task.yield()
        throw Refused(by: context.instance)
      }
    } catch {
      #expect(error == Refused(by: "bound"))
    }
    #expect(context.instance == "default")
  }

  @Test func `an asynchronous withInstance block runs on the caller's actor`() async {
    await onMainActor()
  }

  @MainActor private func onMainActor() async {
    final class Counter { var count = 0 }
    let counter = Counter()
    let context = AmbientContext<String>("Test") { "default" }
    await context.withInstance("bound") {
      await Task.yield()
      MainActor.assertIsolated()
      counter.count += 1
    }
    #expect(counter.count == 1)
  }

  @Test func `concurrent first reads of a context return the same default`() async {
    enum Raced { static let context = AmbientContext<Maker>("Raced") { Maker() } }
    let seen = await withTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<64 { group.addTask { ObjectIdentifier(Raced.context.instance) } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(seen.count == 1)
  }

  @Test(.quiet)
  func `an instance that is replaced while a call uses it stays valid until the call ends`() async {
    final class Service: Sendable {
      let numbers: [Int]
      init(_ number: Int) { numbers = Array(repeating: number, count: 16) }
      func isWhole() -> Bool { Set(numbers).count == 1 }
    }
    enum Swapped { static let context = AmbientContext<Service>("Swapped") { Service(0) } }
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          for number in 0..<500 { Swapped.context.instance = Service(writer + number) }
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<2_000 { #expect(Swapped.context.withService { $0.isWhole() }) }
        }
      }
    }
  }
}

@Suite struct `Static members through a subclass` {
  @Test func `static members called on a subclass of a service act on the current instance`() {
    let (log, analytics, date) = (
      LogRecorder(), AnalyticsRecorder(), Date(timeIntervalSince1970: 0)
    )
    let reports = Reports()
    AmbientScope.isolated {
      Log.instance = log
      Analytics.instance = analytics
      Time.instance = FixedTime(at: date)
      Diagnostics.instance = reports
      NoLog.error("x")
      NoAnalytics.track("y")
      #expect(DefaultTime.now == date)
      Reports.report(Diagnostic(.warned, source: "Test", "z"))
    }
    #expect(log.messages == ["x"] && analytics.names == ["y"])
    #expect(reports.all.map(\.message) == ["z"])
  }
}
