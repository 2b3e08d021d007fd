// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Consent status` {
  @Test func `a consent purpose is pending until it is granted or denied`() {
    let consent = Consent([.advertising: .denied])
    #expect(consent[.analytics] == .pending && consent[.advertising] == .denied)
    consent.set(.granted, for: .analytics)
    consent.set(.denied, for: "research")
    #expect(consent[.analytics] == .granted && consent[.personalization] == .pending)
    #expect(consent["research"] == .denied)
  }

  @Test func `the name of a consent purpose is kept as written and is case-sensitive`() {
    let purposes: [ConsentPurpose] = ["Market Research \u{C9}", .advertising]
    #expect(purposes.map(\.rawValue) == ["Market Research \u{C9}", "advertising"])
    #expect(purposes.map(\.description) == purposes.map(\.rawValue))
    let consent = Consent([ConsentPurpose(rawValue: "Market Research \u{C9}"): .granted])
    #expect(consent[purposes[0]] == .granted && consent["market research \u{E9}"] == .pending)
  }

  @Test func `consent observers are notified only when a status changes`() {
    let consent = Consent()
    let told = Guarded<[String]>([])
    let observation = consent.onChange { purpose, status in
      told.withLock { $0.append("\(purpose) \(status)") }
    }
    consent.set(.granted, for: .analytics)
    consent.set(.granted, for: .analytics)
    consent.set(.denied, for: .advertising)
    observation.cancel()
    consent.set(.denied, for: .analytics)
    #expect(told.withLock { $0 } == ["analytics granted", "advertising denied"])
  }

  @Test func `if one consent observation is cancelled, the other observers are still notified`() {
    let consent = Consent()
    let told = Guarded<[String]>([])
    let observations = (1...3).map { number in
      consent.onChange { _, status in told.withLock { $0.append("\(number) \(status)") } }
    }
    consent.set(.granted, for: .analytics)
    observations[1].cancel()
    consent.set(.pending, for: .analytics)
    observations[0].cancel()
    observations[1].cancel()
    consent.set(.denied, for: .analytics)
    #expect(
      told.withLock { $0 } == [
        "1 granted", "2 granted", "3 granted", "1 pending", "3 pending", "3 denied",
      ])
  }

  @Test func `the toggle of a consent purpose counts how often the purpose was denied`() {
    let consent = Consent([.advertising: .denied, .personalization: .granted])
    func state(_ purpose: ConsentPurpose) -> String {
      let toggle = consent.toggle(for: purpose)
      let unlessDenied = toggle.denialsUnlessDenied.map { "\($0)" } ?? "none"
      return "\(toggle.status) \(toggle.denials) \(unlessDenied)"
    }
    #expect(state(.analytics) == "pending 0 0")
    #expect(state(.personalization) == "granted 0 0")
    #expect(state(.advertising) == "denied 1 none")
    consent.set(.denied, for: .advertising)
    #expect(state(.advertising) == "denied 1 none", "it was denied before")
    consent.set(.granted, for: .advertising)
    #expect(state(.advertising) == "granted 1 1")
    consent.set(.denied, for: .advertising)
    consent.set(.pending, for: .advertising)
    #expect(state(.advertising) == "pending 2 2")
    let toggle = consent.toggle(for: .analytics)
    consent.set(.denied, for: .analytics)
    #expect(toggle.status == .denied && toggle.denials == 1)
    #expect(consent.toggle(for: .analytics) === toggle)
  }

  @Test func `if a consent observer changes a status, all observers receive the changes in order`()
  {
    let consent = Consent()
    let told = Guarded<[ConsentStatus]>([])
    consent.onChange { _, status in
      if status == .granted { consent.set(.denied, for: .analytics) }
    }
    consent.onChange { purpose, status in
      told.withLock { $0.append(status) }
      #expect(consent[purpose] == .denied)
    }
    consent.set(.granted, for: .analytics)
    #expect(told.withLock { $0 } == [.granted, .denied])
  }

  @Test func `consent changes by observers are delivered in the order in which they were made`() {
    let consent = Consent()
    let told = Guarded<[String]>([])
    let purposes: [ConsentPurpose] = [.advertising, .personalization, "research"]
    consent.onChange { purpose, status in
      guard purpose == .analytics else { return }
      for other in purposes { consent.set(status, for: other) }
    }
    consent.onChange { purpose, status in
      told.withLock { $0.append("\(purpose) \(status)") }
      if purpose == "research" { consent.set(.granted, for: .personalization) }
    }
    consent.set(.denied, for: .analytics)
    #expect(
      told.withLock { $0 } == [
        "analytics denied", "advertising denied", "personalization denied", "research denied",
        "personalization granted",
      ])
  }

  @Test func `after concurrent consent changes, the last notification has the current status`()
    async
  {
    let consent = Consent()
    let last = Guarded<ConsentStatus?>(nil)
    let count = Guarded(0)
    consent.onChange { _, status in
      last.withLock { $0 = status }
      count.withLock { $0 += 1 }
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<200 {
            consent.set((number + task) % 2 == 0 ? .granted : .denied, for: .analytics)
          }
        }
      }
    }
    #expect(last.withLock { $0 } == consent[.analytics])
    #expect(count.withLock { $0 } > 0)
  }

  @Test func `a consent observation does not retain its Consent object`() {
    var consent: Consent? = Consent()
    weak let known = consent
    let observation = consent?.onChange { _, _ in }
    consent = nil
    #expect(known == nil)
    observation?.cancel()
  }
}

@Suite struct `Consent files` {
  private let folder = TemporaryFolder()

  @Test func `Consent creates its file, and a second Consent with that file has the same statuses`()
    throws
  {
    let path = folder.path("deep/er/consent.json")
    let consent = try Consent(path: path)
    #expect(try folder.text("deep/er/consent.json") == "{}\n")
    consent.set(.denied, for: .analytics)
    consent.set(.granted, for: "research")
    #expect(
      try folder.text("deep/er/consent.json")
        == "{\"analytics\":\"denied\",\"research\":\"granted\"}\n")
    let again = try Consent(path: path)
    #expect(again[.analytics] == .denied && again["research"] == .granted)
    #expect(again[.advertising] == .pending)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("deep/er")) == [
        "consent.json"
      ])
  }

  @Test(arguments: [
    ("", ConsentStatus.pending, ConsentStatus.pending),
    ("{\"analytics\":\"gran", .pending, .pending),
    ("[]", .pending, .pending),
    (#"{"analytics":"perhaps","advertising":"denied"}"#, .pending, .denied),
    (#"{"analytics":true,"advertising":"granted"}"#, .pending, .granted),
  ])
  func `a damaged consent file is reported, and its unreadable statuses become pending`(
    text: String, analytics: ConsentStatus, advertising: ConsentStatus
  ) throws {
    try folder.write(text, to: "consent.json")
    let reports = Reports()
    let path = folder.path("consent.json")
    let consent = try Diagnostics.withInstance(reports) { try Consent(path: path) }
    #expect(consent[.analytics] == analytics && consent[.advertising] == advertising)
    #expect(reports.all.map(\.kind) == [.invalidSetting])
    #expect(reports.all[0].source == "Consent \(path)")
    consent.set(.granted, for: .analytics)
    #expect(try Consent(path: path)[.analytics] == .granted)
  }

  @Test(arguments: [nil, "{}", "{}\n", #"{"analytics":"pending","research":"denied"}"#])
  func `a consent file that is missing or has only known statuses is not reported`(text: String?)
    throws
  {
    if let text { try folder.write(text, to: "consent.json") }
    let path = folder.path("consent.json")
    let reports = Reports()
    try Diagnostics.withInstance(reports) {
      for _ in 1...2 {
        let consent = try Consent(path: path)
        #expect(consent[.analytics] == .pending)
      }
    }
    #expect(reports.all.isEmpty, "\(reports.all)")
  }

  @Test(arguments: [
    ("[]", [ConsentFile.damage]),
    (
      #"{"analytics":"perhaps","advertising":"denied","research":true}"#,
      [
        ConsentFile.text(ofUnknown: .init(name: "analytics", value: "perhaps")),
        ConsentFile.text(ofUnknown: .init(name: "research", value: true)),
      ]
    ),
  ])
  func `each unknown status in a consent file is reported`(
    text: String, messages: [String]
  ) throws {
    try folder.write(text, to: "consent.json")
    let path = folder.path("consent.json")
    let reports = Reports()
    _ = try Diagnostics.withInstance(reports) { try Consent(path: path) }
    #expect(reports.messages == messages)
  }

  @Test func `a consent file over 64 KiB is treated as damaged`() throws {
    let answer = #"{"analytics":"denied"}"#
    let path = folder.path("consent.json")
    for (size, status, kinds) in [
      (65_536, .denied, []), (65_537, .pending, [.invalidSetting]),
    ] as [(Int, ConsentStatus, [Diagnostic.Kind])] {
      let rest = String(repeating: " ", count: size - answer.utf8.count)
      try folder.write(answer + rest, to: "consent.json")
      let reports = Reports()
      let consent = try Diagnostics.withInstance(reports) {
        try Consent(path: path)
      }
      #expect(consent[.analytics] == status, "\(size) bytes")
      #expect(reports.all.map(\.kind) == kinds, "\(size) bytes")
    }
  }

  @Test func `creating Consent with an unusable path throws a FileOpenError with the reason`()
    throws
  {
    try folder.write("a file", to: "file")
    try folder.makeFolder("folder")
    for (name, reason) in [
      ("file/consent.json", "Not a directory"), ("folder", "File exists"),
      ("", "No such file or directory"),
    ] {
      let path = name.isEmpty ? "" : folder.path(name)
      let error = #expect(throws: FileOpenError.self) { try Consent(path: path) }
      #expect(error?.path == path && error?.reason == reason)
    }
  }

  @Test func `if a consent file can't be written, changes are kept in memory and reported once`()
    throws
  {
    try folder.makeFolder("folder")
    let path = folder.path("folder/consent.json")
    let consent = try Consent(path: path)
    try FileManager.default.removeItem(atPath: folder.path("folder"))
    let reports = Reports()
    try Diagnostics.withInstance(reports) {
      consent.set(.denied, for: .analytics)
      consent.set(.denied, for: .advertising)
      #expect(consent[.analytics] == .denied)
      try folder.makeFolder("folder")
      consent.set(.granted, for: .advertising)
    }
    #expect(reports.all.map(\.kind) == [.writeFailed, .recovered])
    #expect(reports.all.map(\.source) == ["Consent \(path)", "Consent \(path)"])
    #expect(
      reports.messages == [
        ConsentFile.text(ofFailure: .unopened), Failures.text(failed: 2),
      ])
    #expect(try Consent(path: path)[.analytics] == .denied)
  }

  @Test(.quiet)
  func `after a failed consent write, setting the same status again retries the write`() throws {
    try folder.makeFolder("folder")
    let path = folder.path("folder/consent.json")
    let consent = try Consent(path: path)
    consent.set(.granted, for: .analytics)
    try FileManager.default.moveItem(atPath: folder.path("folder"), toPath: folder.path("away"))
    consent.set(.denied, for: .analytics)
    try FileManager.default.moveItem(atPath: folder.path("away"), toPath: folder.path("folder"))
    #expect(try Consent(path: path)[.analytics] == .granted)
    consent.set(.denied, for: .analytics)
    #expect(try Consent(path: path)[.analytics] == .denied)
  }

  @Test func `if a consent file was removed, the next change resets granted purposes to pending`()
    throws
  {
    let path = folder.path("consent.json")
    let consent = try Consent(path: path)
    consent.set(.granted, for: .analytics)
    consent.set(.denied, for: "research")
    let told = Guarded<[String]>([])
    consent.onChange { purpose, status in told.withLock { $0.append("\(purpose) \(status)") } }
    try FileManager.default.removeItem(atPath: path)
    let reports = Reports()
    Diagnostics.withInstance(reports) { consent.set(.granted, for: .advertising) }
    #expect(consent[.analytics] == .pending && consent[.advertising] == .granted)
    #expect(told.withLock { $0 } == ["analytics pending", "advertising granted"])
    #expect(
      try folder.text("consent.json")
        == #"{"advertising":"granted","analytics":"pending","research":"denied"}"# + "\n")
    #expect(reports.all.map(\.kind) == [.damaged])
    #expect(reports.all.map(\.source) == ["Consent \(path)"])
    // An answer that is given again is written, too.
    try FileManager.default.removeItem(atPath: path)
    Diagnostics.withInstance(reports) { consent.set(.denied, for: "research") }
    #expect(try Consent(path: path)["research"] == .denied)
    #expect(reports.all.map(\.kind) == [.damaged, .damaged])
  }

  @Test func `a relative consent file path stays valid if the working directory changes`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      try folder.makeFolder("other")
      try #require(chdir(folder.path) == 0)
      let consent = try Consent(path: "consent.json")
      consent.set(.granted, for: .analytics)
      try #require(chdir(folder.path("other")) == 0)
      consent.set(.denied, for: .advertising)
      #expect(consent[.analytics] == .granted)
      let kept = try Consent(path: folder.path("consent.json"))
      #expect(kept[.analytics] == .granted && kept[.advertising] == .denied)
    }
  }

  @Test func `if a consent path is a symbolic link, changes are written to the link's target`()
    throws
  {
    try folder.write("{}", to: "real.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.json"), withDestinationPath: folder.path("real.json"))
    try Consent(path: folder.path("link.json")).set(.denied, for: .analytics)
    #expect(try folder.text("real.json").contains("denied"))
    #expect(try Consent(path: folder.path("link.json"))[.analytics] == .denied)
  }

  @Test func `after concurrent consent changes, the consent file has the current status`()
    async throws
  {
    let path = folder.path("consent.json")
    let consent = try Consent(path: path)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<20 {
            consent.set((number + task) % 2 == 0 ? .granted : .denied, for: .analytics)
          }
        }
      }
    }
    #expect(try Consent(path: path)[.analytics] == consent[.analytics])
  }
}
