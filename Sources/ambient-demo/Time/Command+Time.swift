// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

extension Command {
  private static let advice = """

    Now buy something yourself, at any instant:
      ambient-demo checkout --at 2026-11-27T00:00:00-05:00

    """

  static let time = Command(
    name: "time",
    summary: "Show the effects of time on a basket.",
    details: """
      One basket is priced at frozen instants: around the start and the end of a promotion, with a \
      locked price, and in the night in which the clocks go back. Each run has the same result.
      """,
    prepare: { _ in
      let story = TimeStory(shop: try Shop.example())
      return Run { output in
        try output.write(await story.text(style: output.style) + advice)
      }
    })
}
