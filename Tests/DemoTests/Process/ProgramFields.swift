// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The JSON that the checkout writes, as another program reads it.
struct ReceiptFields: Decodable {
  struct Order: Decodable {
    let id: String
    let placedAt: String
    let priced: Priced
    let delivery: Delivery?
  }

  struct Delivery: Decodable {}

  struct Priced: Decodable {
    let lines: [Line]
    let total: Amount
    let coupon: String?
  }

  struct Amount: Decodable, CustomStringConvertible {
    let amount: String
    let currency: String

    var description: String { "\(amount) \(currency)" }
  }

  struct Line: Decodable {
    let sku: String
    let quantity: Int
  }

  let shop: String
  let zone: String
  let order: Order
}

/// A line of the file of events.
struct EventFields: Decodable {
  /// The names of the events of a purchase of one product.
  static let ofPurchase = [
    "view_item", "add_to_cart", "begin_checkout", "add_payment_info", "purchase",
  ]

  let event: String
  let time: String
}

/// A queue, as the list of queues shows it.
struct QueueFields: Decodable {
  let folder: String
  let destination: String?
  let waiting: Int?
  let bytes: Int?
  let oldest: String?
  let process: Int32?
  let trouble: String?
  let refused: Int?
  let lost: [String: Int]
  let error: String?
}

extension Demo {
  /// The queues in the folder `q`.
  func queues() async throws -> [QueueFields] { try await self(line: "queue q --json").decoded() }
}

/// The file of a stored basket.
struct StoredBasketFields: Decodable {
  let lines: [ReceiptFields.Line]
}

extension String {
  /// The file of a store with three packets of filters in its basket.
  static let storedBasket = """
    {"id":"00000000-0000-7000-8000-000000000001","lines":[{"quantity":3,"sku":"filters"}],"revision":1}
    """
}

extension ParseStrategy where Self == Date.ISO8601FormatStyle {
  static var iso8601WithFraction: Date.ISO8601FormatStyle {
    .init(includingFractionalSeconds: true)
  }
}
