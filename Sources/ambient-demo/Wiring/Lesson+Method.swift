// SPDX-License-Identifier: Apache-2.0

// The lesson shows the lines below.
private struct Greeter {
  func greet(_ name: String, by mailer: any Mailer) -> String {
    mailer.send("Welcome, \(name)!")
  }
}
// The lesson ends here.

extension Lesson {
  static let method = Lesson(
    name: "method",
    idea: "the needed part is passed with each call",
    replaced: "an argument of one call",
    code: #"""
      struct Greeter {
        func greet(_ name: String, by mailer: any Mailer) -> String {
          mailer.send("Welcome, \(name)!")
        }
      }
      let greeter = Greeter()  // keeps nothing
      let program = greeter.greet("Ada", by: Post())
      let test = greeter.greet("Ada", by: Outbox())
      """#,
    mistake: .compilerError(
      leavingOut: #"greeter.greet("Ada", by: Post())"#, writing: #"greeter.greet("Ada")"#,
      error: "missing argument for parameter 'by' in call"),
    run: {
      // The lesson shows the lines below.
      let greeter = Greeter()  // keeps nothing
      let program = greeter.greet("Ada", by: Post())
      let test = greeter.greet("Ada", by: Outbox())
      // The lesson ends here.
      return (program, test)
    })
}
