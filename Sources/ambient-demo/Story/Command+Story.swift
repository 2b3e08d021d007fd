import Ambient
import Checkout

extension Command {
  private static let output = Option(
    "--output", .text("DIR"),
    help: """
      The folder for the log and the events, which are written anew. If not said: .build/ambient-demo \
      where there is a .build folder, as in a clone of this package; else a new temporary folder.
      """)

  private static let advice = """

    Now buy something yourself, at any instant:
      swift run ambient-demo checkout --item coffee:2 --item mug \\
        --coupon WELCOME10 --at 2026-11-27T00:00:00-05:00

    """

  static let story = Command(
    name: "story",
    summary: "Tell what time does to a basket.",
    details: """
      One basket is priced at frozen instants: around the start and the end of a promotion, with a \
      price that is locked for a while, and in the night when the clocks go back. The story is the \
      same every time.
      """,
    options: [output],
    prepare: { arguments in
      let story = Story(shop: try Shop.example())
      let files = try StoryFiles(in: arguments[output])
      let services = Services(
        time: DefaultTime(), log: try FileLog(path: files.log),
        analytics: try FileAnalytics(path: files.events))
      return Run(services: services) { output in
        try await output.write(story.text(style: output.style))
        Log.instance.flush()
        Analytics.instance.flush()
        try output.write(files.summary + advice)
      }
    })
}
