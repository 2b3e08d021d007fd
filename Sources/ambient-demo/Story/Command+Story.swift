// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

extension Command {
  static let story = Command(
    name: "story",
    summary: "Show how three lines of code change a sale.",
    details: """
      One line of code buys a mug twice. First, the program's analytics get the events. Then the \
      line runs as in a test, at a frozen instant, with its own log and recorder.
      """,
    prepare: { _ in
      let (shop, analytics) = (try Shop.example(), AnalyticsRecorder())
      return Run(services: Services(analytics: analytics)) { output in
        let outcome = try await Story(shop: shop, analytics: analytics).tell()
        try output.write(outcome.text(style: output.style))
      }
    })
}
