import Ambient
import Checkout

extension Command {
  static let wiring = Command(
    name: "wiring",
    summary: "Compare the styles of connecting a shop's services, measured now.",
    details: """
      The same customer visits the example shop in each style, at a frozen instant: registers, signs \
      in, fills a basket, earns rewards. Then it is measured how long it takes to connect the shop, \
      and to reach its highest service. What the styles cost in other ways stands in \
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
