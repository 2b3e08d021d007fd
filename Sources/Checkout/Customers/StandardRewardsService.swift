/// The rewards service whose customer service is given to it.
public struct StandardRewardsService: RewardsLogic {
  /// What knows the customers.
  public let customers: any CustomerService

  /// The service on top of a customer service.
  public init(customers: any CustomerService) { self.customers = customers }
}
