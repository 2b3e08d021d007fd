// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

@Suite(.isolatedAmbients)
struct `Event users` {
  let recorder = AnalyticsRecorder()

  init() { Analytics.instance = recorder }

  private var users: [String?] { recorder.trackedEvents.map { $0.user?.id } }

  @Test func `the user given with an event overrides withUser, which overrides identify()`() {
    Analytics.track(Event("a"))
    Analytics.identify("program", ["plan": "paid"])
    Analytics.track(Event("b"))
    Analytics.withUser("task") {
      Analytics.track(Event("c"))
      Analytics.track(Event("d", user: "event"))
      Analytics.withUser(nil) { Analytics.track(Event("e")) }
    }
    Analytics.track(Event("f"))
    Analytics.reset()
    Analytics.track(Event("g"))
    #expect(users == [nil, "program", "task", "event", nil, "program", nil])
    #expect(recorder.trackedEvents[1].user == AnalyticsUser("program", ["plan": "paid"]))
  }

  @Test func `tracking an Event inside withUser leaves the Event itself without a user`() {
    Analytics.withUser("ada") { Analytics.track(Event("a")) }
    #expect(recorder.events == [Event("a")])
    #expect(Event("a") != Event("a", user: "ada"))
  }

  @Test func `an event's user is determined when the event is tracked`() throws {
    Analytics.withUser("ada") { Analytics.track(Event("a")) }
    let tracked = try #require(recorder.trackedEvents.first)
    Analytics.withUser("bob") { #expect(tracked.user == "ada") }
  }

  @Test func `a tracked event's user can be changed or removed`() {
    Analytics.track(Event("a", user: "event"))
    Analytics.withUser("task") { Analytics.track(Event("b")) }
    for var tracked in recorder.trackedEvents {
      tracked.user = "other"
      #expect(tracked.user == "other")
      tracked.user = nil
      #expect(tracked.user == nil && tracked.event.user == nil)
    }
  }

  @Test func `the user set by withUser applies in child tasks and captured scopes`() async {
    let scope = await Analytics.withUser("ada") {
      async let child: Void = Analytics.track(Event("child"))
      await child
      await Task { Analytics.track(Event("task")) }.value
      return AmbientScope.capture()
    }
    await Task.detached { scope.run { Analytics.track(Event("carried")) } }.value
    #expect(users == ["ada", "ada", "ada"])
  }

  @Test func `an analytics user set inside Analytics.withInstance is dropped when the block ends`()
    async
  {
    Analytics.user = "outer"
    Analytics.withInstance(recorder) {
      Analytics.track(Event("as outside"))
      Analytics.user = "inner"
      Analytics.track(Event("assigned"))
    }
    await Analytics.withInstance(recorder) { () async in Analytics.reset() }
    Analytics.track(Event("outside"))
    #expect(users == ["outer", "inner", "outer"])
  }

  @Test func `an analytics user assigned inside a withUser block is dropped when the block ends`() {
    Analytics.user = "outer"
    Analytics.withUser("inner") {
      Analytics.identify("assigned")
      Analytics.track(Event("a"))
    }
    Analytics.track(Event("b"))
    #expect(users == ["assigned", "outer"])
  }

  @Test func `an isolating scope starts without an analytics user`() {
    Analytics.user = "ada"
    AmbientScope.isolated {
      #expect(Analytics.user == nil)
      Analytics.user = "bob"
      #expect(Analytics.user == "bob")
    }
    #expect(Analytics.user == "ada")
  }

  @Test func `analytics assigned inside a withUser block stay assigned after the block`() {
    let other = AnalyticsRecorder()
    Analytics.withUser("ada") { Analytics.instance = other }
    Analytics.track(Event("a"))
    #expect(other.events == [Event("a")] && recorder.events.isEmpty)
  }

  @Test func `private user traits stay redacted in tracked events`() {
    Analytics.identify("ada", ["mail": .private("ada@example.org"), "plan": "paid"])
    Analytics.track(Event("a"))
    let traits = recorder.trackedEvents[0].user?.traits
    #expect(traits == ["mail": "<private>", "plan": "paid"])
    #expect(!recorder.trackedEvents[0].json.contains("example"))
  }

  @Test func `withUser rethrows typed errors from its block`() async {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try Analytics.withUser("ada") { () throws(Failure) in throw Failure() }
    }
    await #expect(throws: Failure.self) {
      try await Analytics.withUser("ada") { () async throws(Failure) in throw Failure() }
    }
  }

  @Test(arguments: ["Ada.L@Example.ORG", " \u{C9}mile\n", ""])
  func `an AnalyticsUser keeps its id exactly as written`(id: String) {
    Analytics.identify(id)
    Analytics.track(Event("a"))
    Analytics.withUser(AnalyticsUser(id)) { Analytics.track(Event("b")) }
    Analytics.track(Event("c", user: AnalyticsUser(id)))
    #expect(users == [id, id, id])
  }

  @Test func `an AnalyticsUser from a string literal equals the AnalyticsUser with that id`() {
    for (literal, id) in [
      ("Ada.L@Example.ORG", "Ada.L@Example.ORG"), (" \u{C9}mile\n", " \u{C9}mile\n"), ("", ""),
    ] as [(AnalyticsUser, String)] {
      #expect(literal.id == id && literal.traits.isEmpty)
      #expect(literal == AnalyticsUser(id))
    }
  }

  @Test func `identifying a user again replaces the user's traits`() {
    for _ in 0..<3 { Analytics.identify("ada", ["plan": "paid"]) }
    Analytics.identify("ada", ["plan": "free"])
    #expect(Analytics.user?.traits == ["plan": "free"])
  }

  /// Analytics that have stored a user, and note which users they are to store.
  private final class Keeping: Analytics, @unchecked Sendable {
    private let stored: AnalyticsUser?
    private let told = Guarded<[String]>([])
    private let recorder = AnalyticsRecorder()

    init(_ stored: AnalyticsUser? = nil) { self.stored = stored }

    var kept: [String] { told.withLock { $0 } }
    var users: [String] { recorder.trackedEvents.map { $0.user?.id ?? "none" } }
    var areOfProgram: [Bool] { recorder.trackedEvents.map(\.isAnonymousOfProgram) }

    override var storedUser: AnalyticsUser? { stored }
    override func store(_ user: AnalyticsUser?) { told.withLock { $0.append(user?.id ?? "none") } }
    override func record(_ event: TrackedEvent) { recorder.record(event) }
  }

  @Test func `a user stored by the analytics applies until reset() or identify() is called`() {
    let analytics = Keeping("stored")
    Analytics.withInstance(analytics) {
      #expect(Analytics.user == "stored")
      Analytics.track("a")
      Analytics.track(Event("b", user: "own"))
      Analytics.withUser("task") { Analytics.track("c") }
      Analytics.withUser(nil) { Analytics.track("d") }
      Analytics.reset()
      #expect(Analytics.user == nil)
      Analytics.track("e")
      Analytics.identify("new")
      Analytics.track("f")
    }
    #expect(analytics.users == ["stored", "own", "task", "none", "none", "new"])
    #expect(analytics.areOfProgram == [true, false, false, false, true, true])
    #expect(analytics.kept == ["none", "new"])
  }

  @Test
  func `an identified user is stored by the current analytics and by analytics assigned later`() {
    let (first, second, same) = (Keeping(), Keeping("other"), Keeping("ada"))
    Analytics.instance = first
    #expect(first.kept.isEmpty, "nobody was said")
    Analytics.identify("ada")
    Analytics.identify("ada")
    #expect(first.kept == ["ada", "ada"])
    Analytics.instance = second
    #expect(first.kept.count == 2 && second.kept == ["ada"])
    Analytics.withInstance(same) { Analytics.withInstance(MultiAnalytics(first, same)) {} }
    #expect(same.kept.isEmpty, "it has that one")
    #expect(first.kept == ["ada", "ada", "ada"])
    Analytics.reset()
    #expect(second.kept == ["ada", "none"])
    Analytics.instance = same
    #expect(same.kept == ["none"])
  }

  @Test func `analytics don't store a user that is set inside a withUser block`() {
    let (around, inside) = (Keeping(), Keeping())
    Analytics.instance = around
    Analytics.withUser("task") {
      Analytics.identify("assigned")
      Analytics.withInstance(inside) { #expect(Analytics.user == "assigned") }
    }
    #expect(around.kept.isEmpty && inside.kept.isEmpty)
  }

  @Test func `MultiAnalytics stores a user in all its analytics and returns the first stored user`()
  {
    let (none, first, second) = (Keeping(), Keeping("first"), Keeping("second"))
    let all = MultiAnalytics(none, first.through(), second)
    #expect(all.storedUser == "first")
    #expect(MultiAnalytics(none).storedUser == nil)
    all.store("ada")
    all.store(nil)
    #expect(
      [none, first, second].map(\.kept) == [["ada", "none"], ["ada", "none"], ["ada", "none"]])
  }
}
