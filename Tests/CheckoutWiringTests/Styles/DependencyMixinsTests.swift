// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import CheckoutWiring
import Testing

// The answer of this module, in the place of that of the application.

private struct GermanPhrases: Phrases {
  func welcome(_ customer: Customer) -> String { "Willkommen, \(customer.name)!" }
  func leads(_ customer: Customer) -> String { "\(customer.name) leitet ein Team." }
}

private enum Answers {
  static let container = Container().register((any Phrases).self, .once) { _ in GermanPhrases() }
}

extension RequiresPhrases {
  fileprivate var phrases: any Phrases {
    do { return try Answers.container.resolve() } catch { fatalError("\(error)") }
  }
}

// Two services that need each other, each by a mixin that asks a container.

private struct HallPass: Sendable {}
private struct HallKey: Sendable {}

private enum Hall {
  static let container = Container()
    .register(HallPass.self, .once) { _ in
      _ = HallPasses().key
      return HallPass()
    }
    .register(HallKey.self, .once) { _ in
      _ = HallPasses().pass
      return HallKey()
    }

  static func find<Service: Sendable>() -> Service {
    do { return try container.resolve() } catch { fatalError("\(error)") }
  }
}

private protocol RequiresHall {}

extension RequiresHall {
  fileprivate var pass: HallPass { Hall.find() }
  fileprivate var key: HallKey { Hall.find() }
}

private struct HallPasses: RequiresHall {}

/// First a class under its plain name; then that name is a protocol's.
private enum FirstStep {
  final class Greeter: Sendable {
    func greet(_ name: String) -> String { "Hello, \(name)!" }
  }
  struct Door: RequiresFirstGreeter {
    func open(for name: String) -> String { greeter.greet(name) }
  }
}

private protocol RequiresFirstGreeter {}

extension RequiresFirstGreeter {
  var greeter: FirstStep.Greeter { FirstStep.Greeter() }
}

private protocol Greeter: Sendable {
  func greet(_ name: String) -> String
}

private struct StandardGreeter: Greeter {
  func greet(_ name: String) -> String { "Hello, \(name)!" }
}

private protocol RequiresGreeter {
  var greeter: any Greeter { get }
}

extension RequiresGreeter {
  var greeter: any Greeter { StandardGreeter() }
}

extension RequiresGreeter {
  func open(for name: String) -> String { greeter.greet(name) }
}

private struct Door: RequiresGreeter {}

private struct Short: Phrases {
  func welcome(_ customer: Customer) -> String { customer.name }
  func leads(_ customer: Customer) -> String { customer.name }
}

@Suite(.isolatedAmbients) struct `Dependency mixins` {
  let ada: Customer

  init() throws {
    Log.instance = NoLog()
    ada = try Customer(name: "Ada")
  }

  @Test func `a dependency mixin gives an application's types the application's service`() {
    #expect(WelcomeSign().text(for: ada) == "Welcome, Ada!")
    #expect(TeamSign().text(for: ada) == "Ada leads a team.")
  }

  @Test func `a service assigned by a test reaches the application's mixins`() {
    let (welcome, team) = (WelcomeSign(), TeamSign())
    Language.phrases = GermanPhrases()
    #expect(welcome.text(for: ada) == "Willkommen, Ada!")
    #expect(team.text(for: ada) == "Ada leitet ein Team.")
  }

  @Test func `another module can provide a mixin's service by its own extension`() {
    struct Sign: RequiresPhrases {}
    #expect(Sign().phrases.welcome(ada) == "Willkommen, Ada!")
  }

  @Test func `a mixin's locator reports two services that need each other`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HallPasses().pass
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors.contains(" needs itself: HallPass → HallKey → HallPass"), "\(errors)")
  }

  @Test func `a type's own property overrides the mixin's service`() {
    struct Sign: RequiresPhrases {
      let phrases: any Phrases
    }
    #expect(Sign(phrases: Short()).phrases.welcome(ada) == "Ada")
  }

  @Test func `a mixin on a nested Dependencies type adds no properties to the outer type`() {
    let signs: [Any] = [TeamSign(), WelcomeSign()]
    #expect(signs.map { $0 is any RequiresPhrases } == [false, true])
    struct Doorkeeper {
      struct Dependencies: RequiresPhrases, RequiresLog {}
      let dependencies = Dependencies()
    }
    let log = LogRecorder()
    Log.instance = log
    Doorkeeper().dependencies.log.info("open")
    #expect(log.records.map(\.message) == ["open"])
    #expect(Doorkeeper().dependencies.phrases.leads(ada) == "Ada leitet ein Team.")
  }

  @Test func `callers work unchanged when a mixin's class becomes a protocol`() {
    struct Shouting: Greeter {
      func greet(_ name: String) -> String { "HELLO, \(name)!" }
    }
    #expect(FirstStep.Door().open(for: "Ada") == "Hello, Ada!")
    #expect(Door().open(for: "Ada") == "Hello, Ada!")
    struct TestDoor: RequiresGreeter {
      let greeter: any Greeter = Shouting()
    }
    #expect(TestDoor().open(for: "Ada") == "HELLO, Ada!")
  }

  @Test func `a misspelled property doesn't override the mixin's service`() {
    struct Sign: RequiresPhrases {
      let frases: any Phrases
    }
    #expect(Sign(frases: Short()).phrases.welcome(ada) == "Willkommen, Ada!")
  }
}
