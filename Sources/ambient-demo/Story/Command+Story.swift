import Ambient
import Checkout

extension Command {
  static let story = Command(
    name: "story",
    summary: "Show what a line of code logs and tracks.",
    details: """
      A mug is bought twice at a frozen instant. The first time, what is logged and tracked is \
      shown; the second time, no log is kept and a recorder takes the events, as in a test. The \
      line of code is the same.
      """,
    options: [CheckoutOptions.json],
    prepare: { arguments in
      let isJSON = arguments.has(CheckoutOptions.json)
      let story = Story(shop: try Shop.example())
      let services = Services(time: DefaultTime(), log: NoLog(), analytics: NoAnalytics())
      return Run(services: services) { output in
        let told = try await story.tell()
        try output.write(isJSON ? told.json() : told.text(style: output.style))
      }
    })
}
