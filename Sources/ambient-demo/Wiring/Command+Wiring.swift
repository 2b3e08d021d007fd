// SPDX-License-Identifier: Apache-2.0

extension Command {
  private static let style = Option(
    "STYLE", .word(Lesson.all.map { $0.name }, named: "STYLE"), default: "a table of all",
    help: "The style to show.")

  static let wiring = Command(
    name: "wiring",
    summary: "Show the styles of connecting services, or one of them.",
    details: """
      The table lists how each style reports a missing part, and which part a test replaces. For one \
      style, the command shows and runs its code, and shows the error that a missing part causes. \
      docs/choosing.md says when each style is right, and its price.
      """,
    examples: ["wiring", "wiring factory"],
    operand: style,
    prepare: { arguments in
      let lesson = Lesson.all.first { $0.name == arguments[style] }
      return Run { output in
        let style = output.style
        try output.write(lesson?.text(style: style) ?? LessonTable().text(style: style))
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
      .init(heading: "style"), .init(heading: "reports a missing part"),
      .init(heading: "a test replaces"),
    ])
    for lesson in Lesson.all {
      ideas.add([lesson.name, lesson.idea])
      parts.add([lesson.name, lesson.reporter, lesson.replaced])
    }
    let advice = """
      ambient-demo wiring STYLE shows one, runs it, and shows its error. docs/choosing.md says when \
      each is right, and its price.
      """.wrapped(to: style.textWidth)
    let lines = ideas.lines(style: style) + [""] + parts.lines(style: style) + [""] + advice
    return lines.joined(separator: "\n") + "\n"
  }
}
