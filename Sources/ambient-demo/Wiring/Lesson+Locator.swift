// SPDX-License-Identifier: Apache-2.0

import CheckoutWiring

extension Lesson {
  static let locator = Lesson(
    name: "locator",
    idea: "a container is asked by type, at run time",
    reporter: "a typed error, when asked",
    replaced: "a registration",
    cast: "\(mailers); a Welcome is given one.",
    code: #"""
      let container = Container()
        .register((any Mailer).self, Post())
        .register(Welcome.self) { Welcome(mailer: try $0.resolve()) }
      let program = try container.resolve(Welcome.self)
      let test = try container.without((any Mailer).self)
        .register((any Mailer).self, Outbox()).resolve(Welcome.self)
      """#,
    mistake: .runtimeError(leavingOut: #".register((any Mailer).self, Post())"#) {
      let changed = Container().register(Welcome.self) { Welcome(mailer: try $0.resolve()) }
      _ = try changed.resolve(Welcome.self)
    },
    run: {
      // The lesson shows the lines below.
      let container = Container()
        .register((any Mailer).self, Post())
        .register(Welcome.self) { Welcome(mailer: try $0.resolve()) }
      let program = try container.resolve(Welcome.self)
      let test = try container.without((any Mailer).self)
        .register((any Mailer).self, Outbox()).resolve(Welcome.self)
      // The lesson ends here.
      return (program.greet("Ada"), test.greet("Ada"))
    })
}
