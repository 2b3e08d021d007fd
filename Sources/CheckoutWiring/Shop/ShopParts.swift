internal import Ambient
public import Checkout

/// What every style wires into a shop: the parts that have no parts of their own.
public final class ShopParts: Sendable {
  /// What things cost.
  public let prices: PriceList
  /// Where the basket is kept on this machine.
  public let store: any BasketStore
  /// Where the basket is kept elsewhere.
  public let service: any BasketService
  /// Where the customers are.
  public let repository: any CustomerRepository
  /// What checks their passwords.
  public let passwords: any PasswordVerifier

  /// Parts; those that are not given keep what they hold in memory.
  public init(
    prices: PriceList, store: any BasketStore = MemoryBasketStore(),
    service: any BasketService = MemoryBasketService(),
    repository: any CustomerRepository = MemoryCustomerRepository(),
    passwords: any PasswordVerifier = SystemPasswordVerifier()
  ) {
    self.prices = prices
    self.store = store
    self.service = service
    self.repository = repository
    self.passwords = passwords
  }

  private static let program = Guarded<ShopParts?>(nil)

  /// The parts that the program was given, for the types that make what they use themselves.
  static var ofProgram: ShopParts {
    guard let parts = program.withLock(\.self) else {
      preconditionFailure("the parts are given before the first type is made that uses them")
    }
    return parts
  }

  /// Gives these parts to the program; a process has one program, so others are refused then.
  func giveToProgram() throws(WiringError) {
    let isFirst = Self.program.withLock { parts in
      parts = parts ?? self
      return parts === self
    }
    guard isFirst else { throw .partsAlreadyGiven }
  }

  /// Makes a basket on these parts.
  func makeClient() -> BasketClient {
    BasketClient(store: store, service: service, prices: prices)
  }

  /// Connects the customers of these parts.
  func makeRoot() -> CompositionRoot {
    CompositionRoot(repository: repository, passwords: passwords)
  }
}
