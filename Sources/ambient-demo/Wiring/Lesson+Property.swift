// SPDX-License-Identifier: Apache-2.0

import CheckoutWiring

// The lesson shows the lines below.
private struct Greeter {
  private var mailer: (any Mailer)!
  mutating func inject(mailer: any Mailer) { self.mailer = mailer }
  func appear() throws {  // the first moment at which it must be there
    if mailer == nil { throw InjectionError(Self.self, missing: "mailer") }
  }
  func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
}
// The lesson ends here.

extension Lesson {
  static let property = Lesson(
    name: "property",
    idea: "the needed part is assigned afterwards",
    reporter: "a check while it runs",
    replaced: "the injected part",
    code: #"""
      struct Greeter {
        private var mailer: (any Mailer)!
        mutating func inject(mailer: any Mailer) { self.mailer = mailer }
        func appear() throws {  // the first moment at which it must be there
          if mailer == nil { throw InjectionError(Self.self, missing: "mailer") }
        }
        func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
      }
      var (program, test) = (Greeter(), Greeter())  // made by a framework
      program.inject(mailer: Post())
      test.inject(mailer: Outbox())
      try program.appear()
      """#,
    mistake: .runtimeError(leavingOut: #"program.inject(mailer: Post())"#) {
      try Greeter().appear()
    },
    run: {
      // The lesson shows the lines below.
      var (program, test) = (Greeter(), Greeter())  // made by a framework
      program.inject(mailer: Post())
      test.inject(mailer: Outbox())
      try program.appear()
      // The lesson ends here.
      return (program.greet("Ada"), test.greet("Ada"))
    })
}
