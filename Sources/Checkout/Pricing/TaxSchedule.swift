/// Which rate of tax is in force on which local date, and whether prices include it.
public struct TaxSchedule: Hashable, Sendable, Codable {
  /// A rate and the first local date on which it is in force.
  public struct Rate: Hashable, Sendable, Codable {
    /// The first date.
    public let from: LocalDate
    /// The rate.
    public let percent: Percentage

    /// A rate that is in force from that date on.
    public init(from: LocalDate, percent: Percentage) {
      self.from = from
      self.percent = percent
    }

    private enum CodingKeys: String, CodingKey, CaseIterable { case from, percent }

    /// Reads the fields.
    public init(from decoder: any Decoder) throws {
      let fields = try decoder.fields(CodingKeys.self)
      from = try fields.decode(LocalDate.self, forKey: .from)
      percent = try fields.decode(Percentage.self, forKey: .percent)
    }
  }

  /// Whether the prices of the shop hold the tax already, as in Europe.
  public let included: Bool
  /// The rates in the order of their dates.
  public let rates: [Rate]

  /// A schedule, whose rates are in the order of their dates.
  ///
  /// - Throws: ``ShopFault`` for a rate that starts no later than the one before it.
  public init(included: Bool = false, rates: [Rate]) throws(ShopFault) {
    for (index, pair) in zip(rates, rates.dropFirst()).enumerated()
    where pair.0.from >= pair.1.from {
      throw ShopFault("tax.rates[\(index + 1)].from", .unordered)
    }
    self.included = included
    self.rates = rates
  }

  /// The rate on that date, or nil before the first.
  public func rate(on date: LocalDate) -> Percentage? {
    rates.last { $0.from <= date }?.percent
  }

  private enum CodingKeys: String, CodingKey, CaseIterable { case included, rates }

  /// Reads the fields; `included` is false if it is missing.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    try self.init(
      included: try fields.decodeIfPresent(Bool.self, forKey: .included) ?? false,
      rates: try fields.decode([Rate].self, forKey: .rates))
  }
}
