import Ambient
import Checkout
import CheckoutWiring

extension Command {
  static let wiring = Command(
    name: "wiring",
    summary: "Compare the styles of connecting a shop's services, measured now.",
    details: """
      The same customer visits the example shop in each style, at a frozen instant: registers, signs \
      in, fills a basket, earns rewards. Then it is measured how long it takes to connect the shop, \
      and to reach its highest service. What the styles are, and when each is right, stands in \
      docs/choosing.md.

      Figures of a debug build say little: build with -c release.
      """,
    options: [],
    prepare: { _ in
      let comparison = WiringComparison(shop: try Shop.example())
      let services = Services(time: DefaultTime(), log: NoLog(), analytics: NoAnalytics())
      return Run(services: services) { output in
        try await output.write(comparison.text(style: output.style))
      }
    })
}

/// One visit to a shop in each style of wiring, and how long the style takes.
struct WiringComparison: Sendable {
  let shop: Shop

  /// The table.
  func text(style: Style) async throws -> String {
    var table = Table([
      .init(heading: "style"), .init(heading: "connect", isNumber: true),
      .init(heading: "reach", isNumber: true), .init(heading: "the idea"),
    ])
    var results: [String] = []
    let goods = [try BasketLine("coffee", 2), try BasketLine("grinder", 8)]
    for wiring in WiringStyle.allCases {
      // One set of parts for each: the cake takes the first that it is given, for good.
      let parts = ShopParts(prices: shop.prices)
      let wired = try wiring.shop(from: parts)
      let visit = try await Time.freeze(at: "2026-11-27T12:00:00Z") { try await wired.visit(goods) }
      let connect = try Self.nanoseconds {
        let shop = try wiring.shop(from: parts)
        _ = (try shop.rewards, try shop.client)
      }
      let reach = try Self.nanoseconds { _ = try wired.rewards }
      table.add([wiring.rawValue, "\(connect)", "\(reach)", wiring.idea])
      let result = "\(visit.total), and made a \(visit.tier) customer"
      if !results.contains(result) { results.append(result) }
    }
    let notes =
      [
        "Nanoseconds to connect the shop, and to reach its highest service.",
        "In each style the same visit cost " + results.joined(separator: ", or ") + ".",
      ] + Self.buildNotes
    let lines =
      table.lines(style: style) + [""] + notes.flatMap { $0.wrapped(to: style.textWidth) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static var buildNotes: [String] {
    #if DEBUG
      ["This is a debug build: -c release makes the figures those of a finished program."]
    #else
      []
    #endif
  }

  /// The time that a call takes: the least of some rounds, which disturbances only lengthen.
  private static func nanoseconds(_ body: () throws -> Void) rethrows -> Int {
    func time(_ calls: Int) throws -> Duration {
      let start = Time.uptime
      for _ in 0..<calls { try body() }
      return Time.uptime - start
    }
    var calls = 1
    var best = try time(calls)
    while best < .milliseconds(1), calls < 1 << 20 {
      calls *= 2
      best = try time(calls)
    }
    for _ in 0..<15 { best = min(best, try time(calls)) }
    return Int((best / .nanoseconds(calls)).rounded())
  }
}
