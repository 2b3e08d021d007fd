// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct `Products command` {
  private let demo = Demo()

  @Test func `the products command shows the prices at the given instant`() async throws {
    let outcome = try await demo(
      line: "products --at 2026-11-27T00:00:00-05:00", environment: ["COLUMNS": "80"])
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.output == """
        The Corner Roastery, Fri 2026-11-27 00:00:00 -05:00

        SKU      name                   price  promotion     in stock  restriction
        coffee   House blend, 250   10.50 USD  Black Friday       120
                 g
        mug      Stoneware mug       9.37 USD  Black Friday        40
        grinder  Hand grinder       66.75 USD  Black Friday         3
        filters  Paper filters,      4.69 USD  Black Friday       200
                 100
        poster   Poster, printed    13.50 EUR  Black Friday        10
                 in Berlin
        liqueur  Coffee liqueur,    18.00 USD  Black Friday        12  10:00 to 01:30,
                 0.5 l                                                 from 21 years on

        """)
    let wide = try await demo(line: "products --at 2026-11-27T00:00:00-05:00")
    #expect(wide.output.split(separator: "\n").count == 8)
  }

  @Test func `the products command with --json lists the products of a shop file`() async throws {
    try demo.folder.write(
      """
      {
        "name": "Tea", "zone": "Europe/Berlin", "tax": { "included": true, "rates": [] },
        "products": [{ "sku": "tea", "name": "Tea", "price": "5.00 EUR", "minimumAge": 3 }]
      }
      """, to: "shop.json")
    let outcome = try await demo(
      line: "products --shop shop.json --json --at 2026-11-27T00:00:00Z --log none")
    #expect(
      outcome.output == """
        {"date":"2026-11-27T00:00:00.000Z","products":[{"minimumAge":3,"name":"Tea",\
        "price":{"amount":"5.00","currency":"EUR"},"sku":"tea","stock":0}],\
        "shop":"Tea","zone":"Europe/Berlin"}

        """)
  }
}
