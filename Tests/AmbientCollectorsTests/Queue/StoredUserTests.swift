// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.isolatedAmbients, .quiet) struct `Stored user identity` {
  private let folder = TemporaryFolder()
  private let transport = ScriptedTransport([])

  /// A collector of lines, in force from now on, as after a start of the program.
  private func start(
    _ hasAnonymousID: Bool = true, consent: Consent? = nil
  ) throws -> HTTPAnalytics {
    let analytics = try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(
        folder: folder.path("queue"),
        EventQueue.Options().with { $0.hasAnonymousID = hasAnonymousID }, consent: consent),
      upload: .atFlush, transport: transport)
    Analytics.instance = analytics
    return analytics
  }

  /// Runs `body` as a program that knows nothing of the one before it but what is in the folder.
  private func program(_ body: () async throws -> Void) async throws {
    try await AmbientScope.isolated {
      try await Diagnostics.withInstance(.calling { _ in }) { try await body() }
    }
  }

  /// The users and anonymous identities of all that was sent, in order.
  private var owners: [(user: String?, anonymous: String?)] {
    transport.exchanges.flatMap(\.lines).map { line in
      let event = try? TrackedEvent(json: line)
      return (event?.user?.id, event?.anonymousID)
    }
  }

  private var kept: String? { try? folder.text("queue/identity") }

  @Test func `the identified user and the anonymous ID survive a restart of the program`()
    async throws
  {
    try await program {
      let first = try start()
      Analytics.track("before")
      Analytics.identify("ada", ["plan": "paid"])
      Analytics.track("after")
      await first.finish()
    }
    try await program {
      let second = try start()
      #expect(Analytics.user == AnalyticsUser("ada", ["plan": "paid"]))
      Analytics.track("again")
      await second.finish()
    }
    let anonymous = owners[0].anonymous
    #expect(owners.map(\.user) == [nil, "ada", "ada"])
    #expect(UUID(uuidString: anonymous ?? "") != nil)
    #expect(owners.map(\.anonymous) == [anonymous, anonymous, anonymous])
    #expect(transport.exchanges[1].lines[0].contains(#""traits":{"plan":"paid"}"#))
  }

  @Test func `the identified user and the anonymous ID survive a kill of the program`() async throws
  {
    let tracker = try ChildProgram(
      Products.program("EventTracker").path, ["identify", folder.path("queue"), "ada"],
      output: folder.makeFile("output"))
    #expect(await Patience.waitIdly { (try? folder.text("output"))?.hasSuffix("\n") == true })
    tracker.killed()
    let second = try start()
    Analytics.track("again")
    await second.finish()
    // What the killed program had tracked, and what this one has.
    let anonymous = try folder.text("output").trimmingCharacters(in: .newlines)
    #expect(owners.map(\.user) == ["ada", "ada"])
    #expect(owners.map(\.anonymous) == [anonymous, anonymous])
  }

  @Test func `events have an anonymous ID only if hasAnonymousID is set`() async throws {
    let analytics = try start(false)
    Analytics.track("a")
    Analytics.identify("ada")
    Analytics.track("b")
    await analytics.finish()
    #expect(owners.map(\.user) == [nil, "ada"])
    #expect(owners.allSatisfy { $0.anonymous == nil })
    #expect(analytics.queue.anonymousID == nil)
    #expect(kept?.contains("anonymous") == false)
  }

  @Test func `starting a collector without hasAnonymousID discards the anonymous ID`() async throws
  {
    for hasAnonymousID in [true, false, true] {
      try await program {
        let analytics = try start(hasAnonymousID)
        Analytics.identify("ada")
        Analytics.track("a")
        await analytics.finish()
      }
    }
    let identities = owners.map(\.anonymous)
    try #require(identities.count == 3)
    #expect(identities[1] == nil)
    #expect(identities[0] != nil && identities[2] != nil && identities[0] != identities[2])
    #expect(owners.map(\.user) == ["ada", "ada", "ada"])
  }

  @Test func `an event that sets its own user or is tracked in withUser() gets no anonymous ID`()
    async throws
  {
    let analytics = try start()
    Analytics.identify("program")
    Analytics.track(Event("own", user: "bob"))
    Analytics.withUser("eve") { Analytics.track("task") }
    Analytics.withUser(nil) { Analytics.track("nobody") }
    Analytics.withUser("eve") {
      Analytics.identify("mallory")
      Analytics.track("assigned")
    }
    let staged = analytics.through(
      EventStage { event in
        var event = event
        event.user = "staged"
        return event
      })
    staged.track("staged")
    let replaced = analytics.through(
      EventStage { event in
        var event = event
        event.event = Event("replaced", user: "dave")
        return event
      })
    replaced.track("original")
    analytics.record(TrackedEvent(Event("by hand"), id: UUID(), date: Date()))
    Analytics.track("program")
    await analytics.finish()
    #expect(
      owners.map(\.user) == ["bob", "eve", nil, "mallory", "staged", "dave", nil, "program"])
    #expect(owners.map { $0.anonymous != nil } == Array(repeating: false, count: 7) + [true])
    #expect(kept?.contains(#""id":"program""#) == true)
  }

  @Test func `Analytics.reset clears the user and changes the anonymous ID`() async throws {
    try await program {
      let first = try start()
      Analytics.identify("ada")
      Analytics.track("ada's")
      Analytics.reset()
      Analytics.track("nobody's")
      await first.finish()
    }
    try await program {
      let second = try start()
      #expect(Analytics.user == nil)
      Analytics.track("nobody's")
      // Another user than the one before, without a reset between.
      Analytics.identify("bob")
      Analytics.identify("eve")
      Analytics.track("eve's")
      await second.finish()
    }
    #expect(owners.map(\.user) == ["ada", nil, nil, "eve"])
    let anonymous = owners.map(\.anonymous)
    #expect(anonymous[1] == anonymous[2])
    #expect(Set(anonymous).count == 3 && !anonymous.contains(nil))
  }

  @Test(
    arguments: [
      (nil, nil, false), (nil, "ada", true), ("ada", "ada", true),
      ("ada", AnalyticsUser("ada", ["plan": "paid"]), true),
      (AnalyticsUser("ada", ["plan": "paid"]), "ada", true), ("ada", "bob", false),
      ("ada", nil, false),
    ] as [(AnalyticsUser?, AnalyticsUser?, Bool)])
  func `the anonymous ID changes at a reset or if a different user replaces the current user`(
    former: AnalyticsUser?, user: AnalyticsUser?, isSame: Bool
  ) async throws {
    let analytics = try start()
    Analytics.user = former
    let before = try #require(analytics.queue.anonymousID)
    Analytics.track("before")
    Analytics.user = user
    #expect((kept ?? "").contains(before) == isSame)
    Analytics.track("after")
    let after = try #require(analytics.queue.anonymousID)
    #expect((after == before) == isSame)
    #expect(analytics.storedUser == user)
    #expect(kept?.contains(after) == true)
    await analytics.finish()
    #expect(owners.map(\.user) == [former?.id, user?.id])
    #expect(owners.map(\.anonymous) == [before, after])
  }

  @Test func `erasing the events of a user set by withUser() keeps the anonymous ID`() async throws
  {
    let analytics = try start()
    Analytics.track("nobody's")
    Analytics.withUser("bob") { Analytics.track("bob's") }
    let before = try #require(analytics.queue.anonymousID)
    #expect(analytics.erase(user: "bob") == 1)
    #expect(analytics.queue.anonymousID == before)
    await analytics.finish()
    #expect(owners.map(\.user) == [nil])
    #expect(owners.map(\.anonymous) == [before])
  }

  @Test
  func `a user identified before a collector starts is stored and restored at the next start`()
    async throws
  {
    try await program {
      Analytics.identify("ada", ["mail": "ada@example.org"])
      let first = try start()
      await first.finish()
    }
    try await program {
      let second = try start()
      let recorder = AnalyticsRecorder()
      Analytics.instance = MultiAnalytics(recorder, second.through(.redacting("mail")))
      Analytics.track("again")
      Analytics.reset()
      await second.finish()
      #expect(recorder.trackedEvents.map(\.user?.id) == ["ada"])
    }
    #expect(owners.map(\.user) == ["ada"])
    #expect(transport.exchanges.flatMap(\.lines)[0].contains("ada@example.org") == false)
    try await program { _ = try start().storedUser.map { Issue.record("kept: \($0)") } }
  }

  @Test
  func `a consent denial removes the stored user, and users are stored again after a grant`()
    async throws
  {
    let consent = Consent([.analytics: .granted])
    try await program {
      let first = try start(consent: consent)
      Analytics.identify("ada")
      let before = try #require(first.queue.anonymousID)
      #expect(kept?.contains("ada") == true && kept?.contains(before) == true)
      consent.set(.denied, for: .analytics)
      #expect(kept == nil)
      #expect(first.queue.anonymousID == nil)
      Analytics.identify("bob")
      #expect(kept == nil)
      consent.set(.granted, for: .analytics)
      #expect(first.queue.anonymousID != before)
      Analytics.identify("bob")
      #expect(kept?.contains("bob") == true)
      await first.finish()
    }
    try await program {
      let denied = try start(consent: Consent([.analytics: .denied]))
      #expect(Analytics.user == nil)
      #expect(kept == nil)
      await denied.finish()
    }
  }

  @Test func `a consent denial discards the anonymous ID only if the ID is older than the denial`()
    async throws
  {
    for hasOlder in [true, false] {
      let consent = Consent([.analytics: .granted])
      let queue = try EventQueue(
        folder: folder.path("\(hasOlder)"),
        EventQueue.Options.small.with { $0.hasAnonymousID = true }, consent: consent)
      let older = hasOlder ? queue.anonymousID : nil
      #expect((older != nil) == hasOlder)
      consent.set(.denied, for: .analytics)
      consent.set(.granted, for: .analytics)
      let newer = hasOlder ? nil : queue.anonymousID
      let analytics = try HTTPAnalytics(
        url: "http://events.example/", queue: queue, upload: .atFlush, transport: transport)
      let anonymous = try #require(queue.anonymousID)
      #expect(hasOlder ? anonymous != older : anonymous == newer)
      #expect(try folder.text("\(hasOlder)/identity").contains(anonymous))
      await analytics.finish()
    }
  }

  @Test func `a consent denial removes the identity file even if the file is being written`()
    async throws
  {
    let consent = Consent()
    let queue = try EventQueue(
      folder: folder.path("queue"), EventQueue.Options.small.with { $0.hasAnonymousID = true },
      consent: consent)
    let analytics = try HTTPAnalytics(
      url: "http://events.example/", queue: queue, transport: transport)
    let hasEnded = Guarded(false)
    let making = Task {
      while !hasEnded.withLock({ $0 }) {
        analytics.store(nil)
        _ = queue.anonymousID
        await Task.yield()
      }
    }
    var left = 0
    for _ in 0..<400 {
      consent.set(.granted, for: .analytics)
      await Task.yield()
      consent.set(.denied, for: .analytics)
      if kept != nil { left += 1 }
    }
    hasEnded.withLock { $0 = true }
    await making.value
    #expect(left == 0)
  }

  @Test func `starting a collector removes a half-written identity file of a killed program`()
    throws
  {
    try folder.write(#"{"user":{"id":"ada","traits":{}}}"#, to: "queue/identity.1.new")
    _ = try start()
    #expect(!folder.texts.contains { $0.contains("ada") })
  }

  @Test func `a user with very large traits is stored`() async throws {
    let traits: AmbientFields = ["biography": .string(String(repeating: "ä", count: 100_000))]
    try await program {
      let first = try start()
      Analytics.identify("ada", traits)
      await first.finish()
    }
    try await program {
      _ = try start()
      #expect(Analytics.user == AnalyticsUser("ada", traits))
    }
  }

  @Test func `after concurrent changes of the user, the identity file matches storedUser`()
    async throws
  {
    for _ in 0..<20 {
      let analytics = try start()
      let hasEnded = Guarded(false)
      let threads = Guarded(4)
      for thread in 0..<4 {
        Thread {
          var number = 0
          while !hasEnded.withLock({ $0 }) {
            analytics.store(AnalyticsUser("\(thread)-\(number)"))
            number += 1
          }
          threads.withLock { $0 -= 1 }
        }.start()
      }
      try await Task.sleep(for: .milliseconds(2))
      await analytics.finish()
      hasEnded.withLock { $0 = true }
      #expect(await Patience.waitIdly { threads.withLock { $0 == 0 } })
      if let id = analytics.storedUser?.id { #expect(kept?.contains("\"\(id)\"") == true) }
    }
  }

  @Test
  func `erasing the identified user also erases the stored user and earlier anonymous events`()
    async throws
  {
    let analytics = try start()
    Analytics.track("before")
    Analytics.identify("ada")
    Analytics.track("after")
    Analytics.withUser("bob") { Analytics.track("bob's") }
    Analytics.withUser(nil) { Analytics.track("nobody's") }
    #expect(analytics.erase(user: "eve") == 0)
    #expect(kept?.contains("ada") == true)
    #expect(analytics.erase(user: "ada") == 2)
    #expect(kept == nil)
    await analytics.finish()
    #expect(owners.map(\.user) == ["bob", nil])
    try await program {
      _ = try start()
      #expect(Analytics.user == nil)
    }
  }

  @Test func `the identity file is readable only by its owner`() throws {
    let analytics = try start()
    _ = analytics.queue.anonymousID
    let path = folder.path("queue/identity")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `an empty identity file is removed without a damage report`()
    throws
  {
    try FileManager.default.createDirectory(
      atPath: folder.path("queue"), withIntermediateDirectories: true)
    try folder.write("", to: "queue/identity")
    let reports = Reports()
    _ = try Diagnostics.withInstance(reports) { try start() }
    #expect(reports.all.isEmpty && Analytics.user == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path("queue/identity")))
  }

  @Test(arguments: [
    "half of {", #"{"anonymous_id":"none"}"#, #"{"anonymous_id":1}"#,
    #"{"user":{"traits":{"a":1}}}"#,
    #"{"user":"ada"}"#, String(repeating: "x", count: 70_000),
  ])
  func `a damaged identity file is reported and replaced`(text: String) async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("queue"), withIntermediateDirectories: true)
    try folder.write(text, to: "queue/identity")
    let reports = Reports()
    let analytics = try Diagnostics.withInstance(reports) { try start() }
    #expect(reports.all.map(\.kind) == [.damaged])
    #expect(reports.messages.first?.contains("“identity”") == true)
    #expect(Analytics.user == nil)
    Analytics.track("a")
    await analytics.finish()
    let anonymous = try #require(owners[0].anonymous)
    #expect(UUID(uuidString: anonymous) != nil)
    #expect(kept?.contains(anonymous) == true)
  }

  @Test func `a failed write of the identity file is reported once, and the identity stays in use`()
    async throws
  {
    let reports = Reports()
    let analytics = try Diagnostics.withInstance(reports) {
      let analytics = try start()
      try FileManager.default.createDirectory(
        atPath: folder.path("queue/identity/in the way"), withIntermediateDirectories: true)
      Analytics.identify("ada")
      Analytics.track("a")
      Analytics.track("b")
      return analytics
    }
    await analytics.finish()
    #expect(reports.all.filter { $0.kind == .writeFailed }.count == 1)
    #expect(owners.map(\.user) == ["ada", "ada"])
    #expect(Set(owners.map(\.anonymous)).count == 1 && owners[0].anonymous != nil)
  }

  @Test func `a failed write of a new user empties the identity file of the former user`() throws {
    _ = try start()
    Analytics.identify("ada")
    #expect(kept?.contains("ada") == true)
    let half = "identity.\(ProcessInfo.processInfo.processIdentifier).new"
    try folder.makeFolder("queue/\(half)/in the way")
    Analytics.identify("bob")
    #expect(kept == "")
    #expect(Analytics.user?.id == "bob")
    // The same user again is written once there is room.
    try FileManager.default.removeItem(atPath: folder.path("queue/\(half)"))
    Analytics.identify("bob")
    #expect(kept?.contains("bob") == true)
  }

  @Test func `identifying an unchanged user again doesn't rewrite the identity file`() async throws
  {
    func number() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder.path("queue/identity"))[
        .systemFileNumber] as? Int
    }
    let analytics = try start()
    Analytics.identify("ada", ["plan": "paid"])
    Analytics.track("a")
    let first = try number()
    // A file that stays keeps the number of the first one for itself.
    try FileManager.default.linkItem(
      atPath: folder.path("queue/identity"), toPath: folder.path("queue/first"))
    Analytics.identify("ada", ["plan": "paid"])
    #expect(analytics.erase(user: "bob") == 0)
    Analytics.track("b")
    #expect(try number() == first)
    Analytics.identify("ada", ["plan": "free"])
    let second = try number()
    #expect(second != first && kept?.contains("free") == true)
    await analytics.finish()
    #expect(try number() == second)
  }

  @Test func `a user first identified after shutdown isn't stored`()
    async throws
  {
    let analytics = try start()
    await analytics.finish()
    #expect(analytics.queue.anonymousID == nil)
    Analytics.identify("ada")
    #expect(analytics.erase(user: "ada") == 0)
    #expect(kept == nil && analytics.storedUser == nil)
  }

  @Test func `user changes after shutdown leave the stored user unchanged`() async throws {
    let analytics = try start()
    Analytics.identify("ada")
    await analytics.finish()
    let before = kept
    Analytics.identify("bob")
    Analytics.reset()
    #expect(kept == before)
  }

  @Test func `Analytics.alias sends an event with the previous user ID`() async throws {
    let analytics = try start()
    Analytics.identify("ada")
    Analytics.alias("ada", previousID: "old-ada")
    await analytics.finish()
    let lines = transport.exchanges.flatMap(\.lines)
    #expect(lines.count == 1)
    let event = try TrackedEvent(json: lines[0])
    #expect(event.event == Event("alias", ["previous_id": "old-ada"]))
    #expect(event.user == "ada")
  }

  @Test func `Google, Adobe and OTLP each get the anonymous ID in a field of their own`()
    async throws
  {
    func queue(_ name: String) throws -> EventQueue {
      try EventQueue(
        folder: folder.path(name), EventQueue.Options().with { $0.hasAnonymousID = true })
    }
    let parts: [QueuedAnalytics] = [
      try GoogleAnalytics(
        measurementID: "G-TEST12345", apiSecret: "secret", queue: queue("google"),
        upload: .atFlush, transport: transport),
      try AdobeAnalytics(
        datastreamID: AdobeAnalytics.datastreamID, queue: queue("adobe"), upload: .atFlush,
        transport: transport),
      try OTLPAnalytics(
        queue: queue("otlp"), options: .test(), upload: .atFlush, transport: transport),
    ]
    func sent(_ number: Int) async throws -> String {
      let own = AnalyticsUser("bob")
      parts[number].track("anonymous")
      parts[number].track(Event("own", user: own))
      await parts[number].finish()
      return transport.exchanges.map { String(decoding: $0.request.body, as: UTF8.self) }.joined()
    }
    let google = try await sent(0)
    let clients = Set(google.matches(of: /"client_id":"([^"]+)"/).map { String($0.1) })
    #expect(clients.count == 2 && clients.contains(parts[0].queue.clientID), "\(google)")
    #expect(clients.allSatisfy { $0.wholeMatch(of: /[1-9][0-9]*\.[1-9][0-9]*/) != nil })
    let adobe = try await sent(1)
    #expect(Set(adobe.matches(of: /"FPID":\[\{"id":"([^"]+)"/).map { String($0.1) }).count == 2)
    let otlp = try await sent(2)
    let pseudonym = try #require(parts[2].queue.anonymousID)
    let attribute = #"{"key":"enduser.pseudo.id","value":{"stringValue":"\#(pseudonym)"}}"#
    #expect(otlp.ranges(of: attribute).count == 1)
  }
}
