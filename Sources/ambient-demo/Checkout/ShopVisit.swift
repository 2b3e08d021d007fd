// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import CheckoutWiring

/// The shop that a command works on, and the services of its run, as the options say.
struct ShopVisit: Sendable {
  let shop: Shop
  let services: Services
  /// The folder of the basket, the stock and the orders; nil for a new shop in memory.
  let folder: String?
  let failure: FailingPayments.Failure?
  let lastStep: FailingPayments.Step?
  let isJSON: Bool
  private let wiring: WiringStyle

  init(_ arguments: Arguments) throws {
    shop = try CheckoutOptions.shop(arguments)
    services = try CheckoutOptions.services(arguments, in: shop)
    folder = arguments[CheckoutOptions.store]
    failure = arguments[CheckoutOptions.failPayment].flatMap(FailingPayments.Failure.init)
    lastStep = arguments[CheckoutOptions.crashAfter].flatMap(FailingPayments.Step.init)
    isJSON = arguments.has(CheckoutOptions.json)
    wiring = arguments[CheckoutOptions.wiring].flatMap(WiringStyle.init) ?? .initializer
  }

  /// Opens the folder, and returns a desk that sells from it.
  func openDesk() throws -> StoredDesk {
    try StoredDesk(
      shop: shop, folder: folder.map { try ShopFolder($0, shop) }, failure: failure,
      lastStep: lastStep, wiring: wiring)
  }
}

extension Command {
  /// A command that works on a shop, with the options that all of these have.
  ///
  /// - Parameter parse: Parses the command's own options, and returns the function that runs it.
  static func ofShop(
    _ name: String, summary: String, details: String, examples: [String], operand: Option? = nil,
    options: [Option],
    parse:
      @escaping @Sendable (Arguments) throws ->
      @Sendable (ShopVisit, Output) async throws ->
      Void
  ) -> Command {
    Command(
      name: name, summary: summary, details: details, examples: examples, operand: operand,
      options: options + [CheckoutOptions.at, CheckoutOptions.shop] + ServiceOptions.all
        + [CheckoutOptions.json],
      prepare: { arguments in
        let run = try parse(arguments)
        let visit = try ShopVisit(arguments)
        return Run(services: visit.services) { output in try await run(visit, output) }
      })
  }
}
