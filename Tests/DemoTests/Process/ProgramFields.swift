import Foundation

/// The JSON that the checkout writes, as another program would read it.
struct ReceiptFields: Decodable {
  struct Order: Decodable {
    let id: String
    let placedAt: String
    let priced: Priced
  }

  struct Priced: Decodable {
    let lines: [Line]
    let total: Amount
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
  let event: String
  let time: String
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
