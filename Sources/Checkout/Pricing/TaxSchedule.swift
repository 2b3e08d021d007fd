// SPDX-License-Identifier: Apache-2.0

/// The rates of tax in force on each local date, and whether the shop's prices include the tax.
public struct TaxSchedule: Hashable, Sendable, Decodable {
  /// A rate and the first local date on which it is in force.
  public struct Rate: Hashable, Sendable, Decodable {
    /// The first local date on which the rate is in force.
    public let from: LocalDate
    /// The rate.
    public let percent: Percentage

    /// Creates a rate that is in force from the date `from` on.
    ///
    /// - Parameters:
    ///   - from: The first local date of the rate. The rate is in force until the next one starts.
    ///   - percent: The rate.
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

  /// Whether the prices of the shop include the tax, as in Europe.
  public let included: Bool
  /// The rates of products without a tax class, in the order of their dates.
  public let rates: [Rate]
  /// The rates of each tax class, such as `books` or `food`, in the order of their dates.
  public let classes: [String: [Rate]]

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - included: Whether prices include the tax, as in Europe.
  ///   - rates: The rates of products without a tax class, earliest first.
  ///   - classes: The rates of each tax class, such as `books`, earliest first.
  /// - Throws: ``ShopFault`` for a rate that does not start later than the one before it, or a
  ///   class without a name.
  public init(
    included: Bool = false, rates: [Rate], classes: [String: [Rate]] = [:]
  ) throws(ShopFault) {
    try Self.check(rates, "tax.rates")
    for (name, rates) in classes.sorted(by: { $0.key < $1.key }) {
      if name.isEmpty { throw ShopFault("tax.classes", .empty) }
      try Self.check(rates, "tax.classes.\(name)")
    }
    self.included = included
    self.rates = rates
    self.classes = classes
  }

  private static func check(_ rates: [Rate], _ field: String) throws(ShopFault) {
    for (index, pair) in zip(rates, rates.dropFirst()).enumerated()
    where pair.0.from >= pair.1.from {
      throw ShopFault("\(field)[\(index + 1)].from", .unordered)
    }
  }

  /// The rates of products of the tax class `taxClass`; nil means products without a tax class.
  func rates(of taxClass: String?) -> [Rate] { taxClass.map { classes[$0] ?? [] } ?? rates }

  /// The rate of a tax class's products on a date; nil if no rate is in force yet on this date.
  ///
  /// - Parameters:
  ///   - date: The local date of the sale.
  ///   - taxClass: The tax class of the product; nil for products without a tax class.
  public func rate(on date: LocalDate, for taxClass: String? = nil) -> Percentage? {
    rates(of: taxClass).last { $0.from <= date }?.percent
  }

  private enum CodingKeys: String, CodingKey, CaseIterable { case included, rates, classes }

  /// Reads the fields; a missing `included` means false, and missing classes mean none.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    try self.init(
      included: try fields.decodeIfPresent(Bool.self, forKey: .included) ?? false,
      rates: try fields.decode([Rate].self, forKey: .rates),
      classes: try fields.decodeIfPresent([String: [Rate]].self, forKey: .classes) ?? [:])
  }
}
