// SPDX-License-Identifier: Apache-2.0

// The lesson shows the lines below.
private protocol WelcomeFactory {
  func makeMailer() -> any Mailer
}
extension WelcomeFactory {  // of what the other methods make
  func makeWelcome() -> Welcome { Welcome(mailer: makeMailer()) }
}
private struct PostFactory: WelcomeFactory {
  func makeMailer() -> any Mailer { Post() }
}
private struct TestFactory: WelcomeFactory {
  func makeMailer() -> any Mailer { Outbox() }
}
// The lesson ends here.

extension Lesson {
  static let factory = Lesson(
    name: "factory",
    idea: "a protocol makes the services that fit each other",
    replaced: "a method of the factory",
    cast: "\(mailers); a Welcome is given one.",
    code: #"""
      protocol WelcomeFactory {
        func makeMailer() -> any Mailer
      }
      extension WelcomeFactory {  // of what the other methods make
        func makeWelcome() -> Welcome { Welcome(mailer: makeMailer()) }
      }
      struct PostFactory: WelcomeFactory {
        func makeMailer() -> any Mailer { Post() }
      }
      struct TestFactory: WelcomeFactory {
        func makeMailer() -> any Mailer { Outbox() }
      }
      let program = PostFactory().makeWelcome()
      let test = TestFactory().makeWelcome()
      """#,
    mistake: .compilerError(
      leavingOut: #"func makeMailer() -> any Mailer { Post() }"#, writing: #""#,
      error: "type 'PostFactory' does not conform to protocol 'WelcomeFactory'"),
    run: {
      // The lesson shows the lines below.
      let program = PostFactory().makeWelcome()
      let test = TestFactory().makeWelcome()
      // The lesson ends here.
      return (program.greet("Ada"), test.greet("Ada"))
    })
}
