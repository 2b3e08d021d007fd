import Ambient

extension Command {
  private static let style = Option(
    "STYLE", .wordNamed("STYLE", Lesson.all.map { $0.name }),
    help: "The style to show; a table of all if not said.")

  static let wiring = Command(
    name: "wiring",
    summary: "Show the styles of connecting services, or one of them.",
    details: """
      A table says what tells that a part is missing, and what a test replaces. With a style, its \
      shape is shown, and run, and so is the error for a part that is missing. When each is right, \
      and its price, stands in docs/choosing.md.
      """,
    examples: ["wiring", "wiring factory", "wiring --json"],
    operand: style,
    options: [CheckoutOptions.json],
    prepare: { arguments in
      let lesson = Lesson.all.first { $0.name == arguments[style] }
      let isJSON = arguments.has(CheckoutOptions.json)
      let services = Services(time: DefaultTime(), log: NoLog(), analytics: NoAnalytics())
      return Run(services: services) { output in
        if isJSON {
          try output.write(lesson?.json() ?? JSONLine.of(Lesson.all))
        } else {
          let style = output.style
          try output.write(lesson?.text(style: style) ?? LessonTable().text(style: style))
        }
      }
    })
}

/// All styles of wiring, in two tables.
struct LessonTable {
  /// Returns two tables, and advice on the next command. The first table shows the idea of each
  /// style. The second shows how a missing part is reported, and which part a test replaces.
  func text(style: Style) -> String {
    var ideas = Table([.init(heading: "style"), .init(heading: "the idea")])
    var parts = Table([
      .init(heading: "style"), .init(heading: "a missing part is told by"),
      .init(heading: "a test replaces"),
    ])
    for lesson in Lesson.all {
      ideas.add([lesson.name, lesson.idea])
      parts.add([lesson.name, lesson.teller, lesson.replaced])
    }
    let advice = """
      ambient-demo wiring STYLE shows one, runs it, and shows its error. docs/choosing.md says when \
      each is right, and its price.
      """.wrapped(to: style.textWidth)
    let lines = ideas.lines(style: style) + [""] + parts.lines(style: style) + [""] + advice
    return lines.joined(separator: "\n") + "\n"
  }
}
