// SPDX-License-Identifier: Apache-2.0

import Checkout

extension ShopStore {
  /// The store in memory of a shop that sells these products at a dollar each.
  static func stocked(_ stock: [SKU: Int]) throws -> ShopStore {
    ShopStore(
      try Shop(
        name: "Small", zone: try Zone("UTC"),
        products: try stock.keys.sorted().map {
          Product(sku: $0, name: "\($0)", price: try Money("1.00 USD"))
        },
        stock: stock, tax: try TaxSchedule(rates: [])))
  }
}
