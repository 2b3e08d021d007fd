// SPDX-License-Identifier: Apache-2.0

// The lesson shows the lines below.
private struct Greeter {
  private let mailer: any Mailer
  init(mailer: any Mailer) { self.mailer = mailer }
  func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
}
// The lesson ends here.

extension Lesson {
  static let initializer = Lesson(
    name: "initializer",
    idea: "a type names the needed parts in its initializer",
    replaced: "an argument",
    code: #"""
      struct Greeter {
        private let mailer: any Mailer
        init(mailer: any Mailer) { self.mailer = mailer }
        func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
      }
      // The composition root, the one place that knows the concrete types:
      let program = Greeter(mailer: Post())
      let test = Greeter(mailer: Outbox())
      """#,
    mistake: .compilerError(
      leavingOut: #"Greeter(mailer: Post())"#, writing: #"Greeter()"#,
      error: "missing argument for parameter 'mailer' in call"),
    run: {
      // The lesson shows the lines below.
      // The composition root, the one place that knows the concrete types:
      let program = Greeter(mailer: Post())
      let test = Greeter(mailer: Outbox())
      // The lesson ends here.
      return (program.greet("Ada"), test.greet("Ada"))
    })
}
