// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension Shop {
  /// A small example shop in New York, the same as `Examples/shop.json`.
  ///
  /// - Throws: ``ShopFileError`` if the system has no zone `America/New_York`.
  public static func example() throws(ShopFileError) -> Shop {
    try Shop(json: Data(exampleJSON.utf8), file: "the example shop")
  }

  /// The text of the example shop, as a start for a shop file of your own.
  public static let exampleJSON = """
    {
      "name": "The Corner Roastery",
      "zone": "America/New_York",
      "products": [
        { "sku": "coffee", "name": "House blend, 250 g", "price": "14.00 USD" },
        { "sku": "mug", "name": "Stoneware mug", "price": "12.50 USD" },
        { "sku": "grinder", "name": "Hand grinder", "price": "89.00 USD" },
        { "sku": "filters", "name": "Paper filters, 100", "price": "6.25 USD" },
        { "sku": "poster", "name": "Poster, printed in Berlin", "price": "18.00 EUR" },
        {
          "sku": "liqueur",
          "name": "Coffee liqueur, 0.5 l",
          "price": "24.00 USD",
          "saleHours": { "open": "10:00", "close": "01:30" },
          "minimumAge": 21
        }
      ],
      "stock": { "coffee": 120, "mug": 40, "grinder": 3, "filters": 200, "poster": 10, "liqueur": 12 },
      "promotions": [
        {
          "name": "Black Friday",
          "percentOff": 25,
          "start": "2026-11-27T00:00",
          "end": "2026-12-01T00:00"
        },
        {
          "name": "The hour that comes twice",
          "percentOff": 20,
          "start": "2026-11-01",
          "end": "2026-11-02",
          "hours": { "from": "01:00", "to": "02:00" },
          "skus": ["coffee"]
        },
        {
          "name": "Happy hour",
          "amountOff": "1.50 USD",
          "hours": { "from": "16:00", "to": "18:00" },
          "skus": ["mug"]
        }
      ],
      "coupons": [
        { "code": "WELCOME10", "percentOff": 10, "lastDay": "2026-12-31" },
        { "code": "SUMMER5", "amountOff": "5.00 USD", "firstDay": "2026-06-01", "lastDay": "2026-08-31" },
        { "code": "BIGSPENDER", "amountOff": "20.00 USD", "minimum": "150.00 USD" }
      ],
      "tax": {
        "included": false,
        "rates": [
          { "from": "2009-08-01", "percent": 8.875 }
        ]
      },
      "shipping": {
        "cutoff": "14:00",
        "processingDays": 1,
        "minimumTransitDays": 2,
        "maximumTransitDays": 4,
        "holidays": ["2026-11-26", "2026-12-25", "2027-01-01"]
      },
      "terms": { "quoteSeconds": 900, "reservationSeconds": 900 },
      "withdrawalDays": 14
    }

    """
}
