import Ambient
import AmbientTesting
import CheckoutWiring
import Testing

@Suite(.isolatedAmbients) struct `A minimal cake` {
  init() { Log.instance = NoLog() }

  /// The repository is left out.
  private final class CustomerServiceForTest: MinimalCustomerService {
    let double: OneCustomer
    let passwords: any PasswordVerifier = OpenDoor()
    var customerRepository: any CustomerRepository { double }

    init() throws { double = try OneCustomer() }
  }

  /// The customer service is left out.
  private final class RewardsServiceForTest: MinimalRewardsService {
    let customerService: any CustomerService

    init(_ double: any CustomerService) { customerService = double }
  }

  @Test func `is all made by making the highest service`() async throws {
    let rewards = MixInRewardsService()
    let ada = try await rewards.customerService.register(name: "Ada", password: "1")
    #expect(try await rewards.buildTeam(leader: ada.id).leader == ada.id)
    let silver = try await rewards.customerService.authenticate(name: "Ada", password: "1")
    #expect(silver.tier == .silver)
    #expect(try await rewards.buildTeam(leader: ada.id).leader == ada.id)
  }

  @Test func `promotes, logs and tracks through the extension of its service`() async throws {
    let (log, analytics) = (LogRecorder(), AnalyticsRecorder())
    Log.instance = log
    Analytics.instance = analytics
    let customers = try CustomerServiceForTest()
    #expect(try await customers.promote(customers.double.customer.id, to: .gold).tier == .gold)
    #expect(customers.double.changes == 1)
    #expect(log.records.map(\.message) == ["customer promoted"])
    #expect(analytics.events == [.levelUp(.gold)])
  }

  @Test func `has a double at the lowest level, if that mix-in is left out`() async throws {
    let customers = try CustomerServiceForTest()
    let ada = try await customers.authenticate(name: "Ada", password: "any")
    #expect(try await RewardsServiceForTest(customers).buildTeam(leader: ada.id).leader == ada.id)
    #expect(customers.double.changes == 1)
  }

  @Test func `has a double at the middle level, if that mix-in is left out`() async throws {
    let double = OneCustomerService(repository: try OneCustomer())
    let ada = try await double.authenticate(name: "Ada", password: "any")
    #expect(try await RewardsServiceForTest(double).buildTeam(leader: ada.id).leader == ada.id)
  }

  @Test func `hands on why a leader cannot be promoted`() async throws {
    let nobody = try Customer(name: "nobody").id
    await #expect(throws: RewardsError.customer(.unknownCustomer(nobody))) {
      try await MixInRewardsService().buildTeam(leader: nobody)
    }
  }

  @Test func `that is made twice shares nothing`() async throws {
    let ada = try await MixInCustomerService().register(name: "Ada", password: "1")
    await #expect(throws: RewardsError.customer(.unknownCustomer(ada.id))) {
      try await MixInRewardsService().buildTeam(leader: ada.id)
    }
  }
}
