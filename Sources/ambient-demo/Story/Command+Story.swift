// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

extension Command {
  static let story = Command(
    name: "story",
    summary: "Show three lines you write, and their effect.",
    details: """
      A mug is bought twice by one line of code. First, the analytics of the program get the events. \
      Then the line runs as in a test, at a frozen instant, with a log and a recorder of its own.
      """,
    prepare: { _ in
      let (shop, analytics) = (try Shop.example(), AnalyticsRecorder())
      return Run(services: Services(analytics: analytics)) { output in
        let outcome = try await Story(shop: shop, analytics: analytics).tell()
        try output.write(outcome.text(style: output.style))
      }
    })
}
