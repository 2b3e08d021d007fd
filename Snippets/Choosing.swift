// SPDX-License-Identifier: Apache-2.0

// All styles of connecting services, with the same example services, in the order of
// docs/choosing.md.

import Ambient
import CheckoutWiring
import Synchronization

// snippet.parts
struct Customer: Sendable, Equatable {
  let name: String
  var tier = 0
}

protocol CustomerRepository: Sendable {  // stores customers
  func find(_ name: String) throws -> Customer
  func keep(_ customer: Customer) throws
}

protocol Mailer: Sendable {  // writes to them
  func send(_ text: String, to name: String)
}

protocol CustomerPromotion: Sendable {  // raises a customer's tier: needs a repository
  func promote(_ name: String) throws -> Customer
}

protocol TeamService: Sendable {  // builds a team: needs a promotion and a mailer
  func buildTeam(leader: String) throws -> [Customer]
}
// snippet.end

// snippet.real
struct UnknownCustomer: Error {}

final class MemoryRepository: CustomerRepository {
  private let customers = Mutex(["Ada": Customer(name: "Ada")])

  func find(_ name: String) throws -> Customer {
    guard let customer = customers.withLock({ $0[name] }) else { throw UnknownCustomer() }
    return customer
  }

  func keep(_ customer: Customer) { customers.withLock { $0[customer.name] = customer } }
}

struct PaperMail: Mailer {
  func send(_ text: String, to name: String) { print("to \(name): \(text)") }
}
// snippet.end

// snippet.doubles
struct OneCustomer: CustomerRepository {  // finds every name, at tier 7, and stores nothing
  func find(_ name: String) -> Customer { Customer(name: name, tier: 7) }
  func keep(_ customer: Customer) {}
}

final class Outbox: Mailer {  // collects the texts, and sends nothing
  private let sent = Mutex<[String]>([])
  var texts: [String] { sent.withLock { $0 } }
  func send(_ text: String, to name: String) { sent.withLock { $0.append("\(name): \(text)") } }
}

func expect(_ holds: Bool, line: UInt = #line) { precondition(holds, "line \(line)") }
// snippet.end

// snippet.initializer
struct StandardPromotion: CustomerPromotion {
  private let repository: any CustomerRepository

  init(repository: any CustomerRepository) { self.repository = repository }

  func promote(_ name: String) throws -> Customer {
    var customer = try repository.find(name)
    customer.tier += 1
    try repository.keep(customer)
    return customer
  }
}

struct StandardTeams: TeamService {
  private let promotion: any CustomerPromotion
  private let mailer: any Mailer

  init(promotion: any CustomerPromotion, mailer: any Mailer) {
    self.promotion = promotion
    self.mailer = mailer
  }

  func buildTeam(leader: String) throws -> [Customer] {
    let leader = try promotion.promote(leader)
    mailer.send("You lead a team.", to: leader.name)
    return [leader]
  }
}
// snippet.end

// snippet.root
struct Root {
  let teams: any TeamService

  init(repository: any CustomerRepository, mailer: any Mailer) {
    let promotion = StandardPromotion(repository: repository)
    teams = StandardTeams(promotion: promotion, mailer: mailer)
  }
}

let root = Root(repository: MemoryRepository(), mailer: PaperMail())
expect(try root.teams.buildTeam(leader: "Ada") == [Customer(name: "Ada", tier: 1)])
// snippet.end

// snippet.initializer-test
let outbox = Outbox()
let tested = Root(repository: OneCustomer(), mailer: outbox)
expect(try tested.teams.buildTeam(leader: "Max") == [Customer(name: "Max", tier: 8)])
expect(outbox.texts == ["Max: You lead a team."])
// snippet.end

// snippet.property
struct NotInjected: Error {
  let message: String
}

final class TeamScreen {
  private var teams: (any TeamService)!  // foreign: no default
  var title = "Teams"  // local: a default that needs nothing else

  init() {}  // called by the framework

  func inject(teams: any TeamService) { self.teams = teams }

  func appear() throws {  // the framework's first call
    guard teams != nil else {
      throw NotInjected(message: "TeamScreen has no teams; call inject right after it is made")
    }
  }

  func tapped(on name: String) throws -> Int { try teams.buildTeam(leader: name).count }
}

let screen = TeamScreen()
screen.inject(teams: root.teams)
try screen.appear()
expect(try screen.tapped(on: "Ada") == 1)
// snippet.end

// snippet.property-test
let screenForTest = TeamScreen()
screenForTest.inject(teams: tested.teams)
expect(try screenForTest.tapped(on: "Max") == 1)
expect(outbox.texts.count == 2)

do { try TeamScreen().appear() } catch let error as NotInjected { print(error.message) }
// snippet.end

// snippet.method
struct BranchDesk {  // serves every branch, and stores none
  func promote(_ name: String, in branch: any CustomerRepository) throws -> Customer {
    try StandardPromotion(repository: branch).promote(name)
  }
}

let desk = BranchDesk()
expect(try desk.promote("Ada", in: MemoryRepository()).tier == 1)
// snippet.end

// snippet.method-test
expect(try desk.promote("Max", in: OneCustomer()).tier == 8)
// snippet.end

// snippet.factory
protocol TeamFactory: Sendable {
  func makeRepository() -> any CustomerRepository
  func makeMailer() -> any Mailer
  func makePromotion() -> any CustomerPromotion
  func makeTeams() -> any TeamService
}

extension TeamFactory {  // defaults, from what the other methods make
  func makePromotion() -> any CustomerPromotion {
    StandardPromotion(repository: makeRepository())
  }
  func makeTeams() -> any TeamService {
    StandardTeams(promotion: makePromotion(), mailer: makeMailer())
  }
}

struct ProgramFactory: TeamFactory {
  private let repository = MemoryRepository()  // one, which all services share
  func makeRepository() -> any CustomerRepository { repository }
  func makeMailer() -> any Mailer { PaperMail() }
}

struct Reception {  // makes services while the program runs, without knowing their types
  let factory: any TeamFactory
  func newTeam(of name: String) throws -> [Customer] {
    try factory.makeTeams().buildTeam(leader: name)
  }
}

expect(try Reception(factory: ProgramFactory()).newTeam(of: "Ada").count == 1)
// snippet.end

// snippet.factory-test
struct FactoryForTest: TeamFactory {
  let outbox = Outbox()
  func makeRepository() -> any CustomerRepository { OneCustomer() }
  func makeMailer() -> any Mailer { outbox }
}

let factory = FactoryForTest()
expect(try Reception(factory: factory).newTeam(of: "Max") == [Customer(name: "Max", tier: 8)])
expect(factory.outbox.texts == ["Max: You lead a team."])
// snippet.end

// snippet.cake-components
protocol RepositoryComponent {
  static var repository: any CustomerRepository { get }  // the service
  static func createRepository() -> any CustomerRepository  // how to create it
}

protocol MailerComponent {
  static var mailer: any Mailer { get }
  static func createMailer() -> any Mailer
}

protocol PromotionComponent {
  static var promotion: any CustomerPromotion { get }
  static func createPromotion() -> any CustomerPromotion
}

protocol TeamsComponent {
  static var teams: any TeamService { get }
  static func createTeams() -> any TeamService
}
// snippet.end

// snippet.cake-create
protocol MemoryRepositoryComponent: RepositoryComponent {}
extension MemoryRepositoryComponent {
  static func createRepository() -> any CustomerRepository { MemoryRepository() }
}

protocol PaperMailComponent: MailerComponent {}
extension PaperMailComponent {
  static func createMailer() -> any Mailer { PaperMail() }
}

protocol StandardPromotionComponent: PromotionComponent {}
extension StandardPromotionComponent where Self: RepositoryComponent {  // one need
  static func createPromotion() -> any CustomerPromotion {
    StandardPromotion(repository: repository)
  }
}

protocol StandardTeamsComponent: TeamsComponent {}
extension StandardTeamsComponent where Self: PromotionComponent, Self: MailerComponent {  // two
  static func createTeams() -> any TeamService {
    StandardTeams(promotion: promotion, mailer: mailer)
  }
}
// snippet.end

// snippet.cake
enum AppContext: MemoryRepositoryComponent, PaperMailComponent,
  StandardPromotionComponent, StandardTeamsComponent
{
  static let repository = createRepository()
  static let mailer = createMailer()
  static let promotion = createPromotion()
  static let teams = createTeams()
}

expect(try AppContext.teams.buildTeam(leader: "Ada").count == 1)
// snippet.end

// snippet.cake-value
struct CakeContext: Sendable {  // shows the teams of some context, and nothing else of it
  private let type: any (TeamsComponent & SendableMetatype).Type

  init(type: any (TeamsComponent & SendableMetatype).Type) { self.type = type }

  var teams: any TeamService { type.teams }
}

let context = CakeContext(type: AppContext.self)
expect(try context.teams.buildTeam(leader: "Ada")[0].tier == 2)  // the same repository
// snippet.end

// snippet.cake-test
enum TestContext: MemoryRepositoryComponent, PaperMailComponent,
  StandardPromotionComponent, StandardTeamsComponent
{
  static let repository: any CustomerRepository = OneCustomer()  // not createRepository()
  static let outbox = Outbox()
  static let mailer: any Mailer = outbox  // not createMailer()
  static let promotion = createPromotion()
  static let teams = createTeams()
}

expect(try CakeContext(type: TestContext.self).teams.buildTeam(leader: "Max")[0].tier == 8)
expect(TestContext.outbox.texts == ["Max: You lead a team."])
// snippet.end

// snippet.minimal-uses
protocol UsesRepository { var repository: any CustomerRepository { get } }
protocol UsesMailer { var mailer: any Mailer { get } }
protocol UsesPromotion { var promotion: any CustomerPromotion { get } }

protocol PromotionLogic: CustomerPromotion, UsesRepository {}  // the first requires `promote`

extension PromotionLogic {
  func promote(_ name: String) throws -> Customer {
    var customer = try repository.find(name)
    customer.tier += 1
    try repository.keep(customer)
    return customer
  }
}

protocol TeamLogic: TeamService, UsesPromotion, UsesMailer {}  // two needs

extension TeamLogic {
  func buildTeam(leader: String) throws -> [Customer] {
    let leader = try promotion.promote(leader)
    mailer.send("You lead a team.", to: leader.name)
    return [leader]
  }
}
// snippet.end

// snippet.minimal
typealias MixInRepository = MemoryRepository  // needs nothing, so any implementation will do
typealias MixInMailer = PaperMail

final class MixInPromotion: PromotionLogic {
  let repository: any CustomerRepository = MixInRepository()
}

final class MixInTeams: TeamLogic {
  let promotion: any CustomerPromotion = MixInPromotion()
  let mailer: any Mailer = MixInMailer()
}

let mixedIn: any TeamService = MixInTeams()  // also makes the services below it
expect(try mixedIn.buildTeam(leader: "Ada")[0].tier == 1)
// snippet.end

// snippet.minimal-test
final class PromotionForTest: PromotionLogic {
  let repository: any CustomerRepository = OneCustomer()  // a double of the lowest level
}

struct Demotion: CustomerPromotion {  // a double of the middle level
  func promote(_ name: String) -> Customer { Customer(name: name, tier: -1) }
}

final class TeamsForTest: TeamLogic {
  let outbox = Outbox()
  let promotion: any CustomerPromotion
  var mailer: any Mailer { outbox }
  init(_ promotion: any CustomerPromotion) { self.promotion = promotion }
}

struct NoTeams: TeamService {  // a double of the highest level
  func buildTeam(leader: String) -> [Customer] { [] }
}

let doubles: [any TeamService] = [
  TeamsForTest(PromotionForTest()), TeamsForTest(Demotion()), NoTeams(),
]
expect(try doubles.map { try $0.buildTeam(leader: "Max").first?.tier } == [8, -1, nil])
// snippet.end

// snippet.mixin
protocol Texts: Sendable {  // what a program says, in the language of its users
  func welcome(_ name: String) -> String
}

struct English: Texts {
  func welcome(_ name: String) -> String { "Welcome, \(name)!" }
}

protocol RequiresTexts {  // a library declares this, and does not implement it
  var texts: any Texts { get }
}

struct Sign: RequiresTexts {  // no initializer, and no property of its own
  func text(for name: String) -> String { texts.welcome(name) }
}

enum Application {
  static let texts: any Texts = English()
}

extension RequiresTexts {  // written once, by the application
  var texts: any Texts { Application.texts }
}

expect(Sign().text(for: "Ada") == "Welcome, Ada!")
// snippet.end

// snippet.mixin-test
struct German: Texts {
  func welcome(_ name: String) -> String { "Willkommen, \(name)!" }
}

struct SignForTest: RequiresTexts {
  let texts: any Texts = German()  // its own, instead of the application's
  func text(for name: String) -> String { texts.welcome(name) }
}

expect(SignForTest().text(for: "Max") == "Willkommen, Max!")
// snippet.end

// snippet.mixin-nested
struct Doorkeeper {
  private struct Dependencies: RequiresTexts, RequiresLog {}  // two needs
  private let dependencies = Dependencies()

  func lets(_ name: String) -> String {
    dependencies.log.info("a guest is let in")
    return dependencies.texts.welcome(name)
  }
}
// snippet.end

// snippet.mixin-class
final class Printer: Sendable {
  func ticket(for name: String) -> String { "ticket for \(name)" }
}

protocol RequiresPrinter {}

extension RequiresPrinter {
  var printer: Printer { Printer() }
}

struct Booth: RequiresPrinter {
  func sell(to name: String) -> String { printer.ticket(for: name) }
}
// snippet.end

Log.instance = NoLog()
expect(Doorkeeper().lets("Ada") == "Welcome, Ada!")
expect(Booth().sell(to: "Ada") == "ticket for Ada")

// snippet.container
let container = Container()
  .register((any CustomerRepository).self, MemoryRepository())  // an instance
  .register((any Mailer).self) { _ in PaperMail() }  // a closure, each time
  .register((any CustomerPromotion).self, .once) {  // once
    StandardPromotion(repository: try $0.resolve())
  }
  .register((any TeamService).self, .oncePerResolution) {  // once per request
    StandardTeams(promotion: try $0.resolve(), mailer: try $0.resolve())
  }

let teams: any TeamService = try container.resolve()
let promotion = try container.resolve((any CustomerPromotion).self)  // the type as an argument
expect(try teams.buildTeam(leader: "Ada")[0].tier == 1)
expect(try promotion.promote("Ada").tier == 2)
// snippet.end

// snippet.container-more
let branches = Container(parent: container)  // the parent supplies what is missing here
  .register((any CustomerRepository).self, named: "north", OneCustomer())
  .register(BranchDesk.self) { _ in BranchDesk() }
  .register(Customer.self) { (_, name: String, tier: Int) in Customer(name: name, tier: tier) }

let north: any CustomerRepository = try branches.resolve(named: "north")
let max = try branches.resolve(Customer.self, with: "Max", 3)
expect(try north.find("Max").tier == 7 && max.tier == 3)
// snippet.end

// snippet.container-test
let containerForTest =
  container
  .without((any CustomerRepository).self).register((any CustomerRepository).self, OneCustomer())
  .without((any Mailer).self).register((any Mailer).self, outbox)
let teamsForTest: any TeamService = try containerForTest.resolve()
expect(try teamsForTest.buildTeam(leader: "Max")[0].tier == 8)
expect(containerForTest.check().isEmpty)
// snippet.end

// snippet.container-errors
struct Left: Sendable {}
struct Right: Sendable {}

let faulty =
  container
  .without((any CustomerRepository).self)
  .register((any Mailer).self, PaperMail())  // the second registration
  .register(Left.self, .once) { resolver in
    _ = try resolver.resolve(Right.self)
    return Left()
  }
  .register(Right.self, .once) { resolver in
    _ = try resolver.resolve(Left.self)
    return Right()
  }
for error in faulty.check() { print(error) }

do { _ = try branches.resolve(Customer.self, with: "Max", Int?.none) } catch { print(error) }
do { _ = try branches.resolve((any Mailer).self, named: "south") } catch { print(error) }
// snippet.end

// snippet.universal
enum Language {  // an ambient context of your own
  private static let context = AmbientContext<any Texts>("Language") { English() }

  static var texts: any Texts {
    get { context.instance }
    set { context.instance = newValue }
  }

  static func with<R>(_ texts: any Texts, _ body: () throws -> R) rethrows -> R {
    try context.withInstance(texts, body)
  }
}

protocol RequiresLanguage {
  var texts: any Texts { get }
}

extension RequiresLanguage {
  var texts: any Texts { Language.texts }
}

struct Poster: RequiresLanguage {
  func text(for name: String) -> String { texts.welcome(name) }
}

Language.texts = English()  // by the application, at its start
expect(Poster().text(for: "Ada") == "Welcome, Ada!")
// snippet.end

// snippet.universal-test
Language.with(German()) {  // in this block and in the tasks that it starts
  expect(Poster().text(for: "Max") == "Willkommen, Max!")
}
// snippet.end

// snippet.freak
struct FreakTeams {  // makes its own services, so a test cannot replace them
  func buildTeam(leader: String) throws -> [Customer] {
    let promotion = StandardPromotion(repository: MemoryRepository())
    return [try promotion.promote(leader)]
  }
}
// snippet.end

// snippet.freak-cure
struct GivenTeams {
  let promotion: any CustomerPromotion

  func buildTeam(leader: String) throws -> [Customer] { [try promotion.promote(leader)] }
}

expect(try GivenTeams(promotion: PromotionForTest()).buildTeam(leader: "Max")[0].tier == 8)
// snippet.end

// snippet.bastard
struct BastardInvitation {
  let mailer: any Mailer

  // A test that forgets the argument writes to real people.
  init(mailer: any Mailer = PaperMail()) { self.mailer = mailer }
}
// snippet.end

// snippet.bastard-cure
struct Invitation {
  let mailer: any Mailer
  let text: String

  // The mailer is foreign: no default. The text is local: its default may stay.
  init(mailer: any Mailer, text: String = "Please come.") {
    self.mailer = mailer
    self.text = text
  }

  func send(to name: String) { mailer.send(text, to: name) }
}

let invitations = Outbox()
Invitation(mailer: invitations).send(to: "Max")
expect(invitations.texts == ["Max: Please come."])
// snippet.end

// snippet.locator
struct LocatorTeams {
  let container: Container  // hides which services it needs

  func promote(_ name: String) throws -> Customer {
    let promotion: any CustomerPromotion = try container.resolve()
    return try promotion.promote(name)
  }
}
// snippet.end

// snippet.locator-cure
let edge = container.register(GivenTeams.self) { GivenTeams(promotion: try $0.resolve()) }
expect(edge.check().isEmpty)  // in a test: nothing that the program will request is missing
// snippet.end

_ = (
  try FreakTeams().buildTeam(leader: "Ada"), BastardInvitation(), LocatorTeams(container: container)
)
