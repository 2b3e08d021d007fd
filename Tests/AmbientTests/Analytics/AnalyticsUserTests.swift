// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

@Suite(.isolatedAmbients)
struct `Whose an event is` {
  let recorder = AnalyticsRecorder()

  init() { Analytics.instance = recorder }

  private var users: [String?] { recorder.trackedEvents.map { $0.user?.id } }

  @Test func `is the event's user, else the task's, else the program's, else nobody`() {
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

  @Test func `leaves the event as it was given`() {
    Analytics.withUser("ada") { Analytics.track(Event("a")) }
    #expect(recorder.events == [Event("a")])
    #expect(Event("a") != Event("a", user: "ada"))
  }

  @Test func `is decided where the event is tracked`() throws {
    Analytics.withUser("ada") { Analytics.track(Event("a")) }
    let tracked = try #require(recorder.trackedEvents.first)
    Analytics.withUser("bob") { #expect(tracked.user == "ada") }
  }

  @Test func `may be changed with the event, by whoever hands it on`() {
    Analytics.track(Event("a", user: "event"))
    Analytics.withUser("task") { Analytics.track(Event("b")) }
    for var tracked in recorder.trackedEvents {
      tracked.user = "other"
      #expect(tracked.user == "other")
      tracked.user = nil
      #expect(tracked.user == nil && tracked.event.user == nil)
    }
  }

  @Test func `follows tasks, and is carried where they do not go`() async {
    let scope = await Analytics.withUser("ada") {
      async let child: Void = Analytics.track(Event("child"))
      await child
      await Task { Analytics.track(Event("task")) }.value
      return AmbientScope.capture()
    }
    await Task.detached { scope.run { Analytics.track(Event("carried")) } }.value
    #expect(users == ["ada", "ada", "ada"])
  }

  @Test func `that is assigned in a scope of the analytics ends with it`() async {
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

  @Test func `that is assigned in a scope of the user ends with it`() {
    Analytics.user = "outer"
    Analytics.withUser("inner") {
      Analytics.identify("assigned")
      Analytics.track(Event("a"))
    }
    Analytics.track(Event("b"))
    #expect(users == ["assigned", "outer"])
  }

  @Test func `is nobody in an isolating scope, until it is said there`() {
    Analytics.user = "ada"
    AmbientScope.isolated {
      #expect(Analytics.user == nil)
      Analytics.user = "bob"
      #expect(Analytics.user == "bob")
    }
    #expect(Analytics.user == "ada")
  }

  @Test func `leaves analytics that are assigned in its scope to the place around`() {
    let other = AnalyticsRecorder()
    Analytics.withUser("ada") { Analytics.instance = other }
    Analytics.track(Event("a"))
    #expect(other.events == [Event("a")] && recorder.events.isEmpty)
  }

  @Test func `keeps what is private among the traits private`() {
    Analytics.identify("ada", ["mail": .private("ada@example.org"), "plan": "paid"])
    Analytics.track(Event("a"))
    let traits = recorder.trackedEvents[0].user?.traits
    #expect(traits == ["mail": "<private>", "plan": "paid"])
    #expect(!recorder.trackedEvents[0].json.contains("example"))
  }

  @Test func `keeps the errors of its block typed`() async {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try Analytics.withUser("ada") { () throws(Failure) in throw Failure() }
    }
    await #expect(throws: Failure.self) {
      try await Analytics.withUser("ada") { () async throws(Failure) in throw Failure() }
    }
  }

  @Test(arguments: ["Ada.L@Example.ORG", " \u{C9}mile\n", ""])
  func `is told by an identity as it was written`(id: String) {
    Analytics.identify(id)
    Analytics.track(Event("a"))
    Analytics.withUser(AnalyticsUser(id)) { Analytics.track(Event("b")) }
    Analytics.track(Event("c", user: AnalyticsUser(id)))
    #expect(users == [id, id, id])
  }

  @Test func `is the same by a literal as by a text`() {
    for (literal, id) in [
      ("Ada.L@Example.ORG", "Ada.L@Example.ORG"), (" \u{C9}mile\n", " \u{C9}mile\n"), ("", ""),
    ] as [(AnalyticsUser, String)] {
      #expect(literal.id == id && literal.traits.isEmpty)
      #expect(literal == AnalyticsUser(id))
    }
  }

  @Test func `may be said as often as one likes`() {
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

  @Test func `is the one that the analytics have stored, until another is said`() {
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

  @Test func `is stored by analytics when it is said, and by those that come later`() {
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

  @Test func `is not stored if it is that of some work`() {
    let (around, inside) = (Keeping(), Keeping())
    Analytics.instance = around
    Analytics.withUser("task") {
      Analytics.identify("assigned")
      Analytics.withInstance(inside) { #expect(Analytics.user == "assigned") }
    }
    #expect(around.kept.isEmpty && inside.kept.isEmpty)
  }

  @Test func `is stored by each of several analytics, of which the first that knows tells`() {
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
