// SPDX-License-Identifier: Apache-2.0

// The lesson shows the lines below.
private protocol UsesMailer { var mailer: any Mailer { get } }
private protocol WelcomeService: UsesMailer {
  func greet(_ name: String) -> String  // required: a double may have its own
}
extension WelcomeService {
  func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
}
private final class MixInWelcomeService: WelcomeService {
  let mailer: any Mailer = Post()
}
private final class WelcomeServiceForTest: WelcomeService {
  let mailer: any Mailer = Outbox()
}
// The lesson ends here.

extension Lesson {
  static let minimalCake = Lesson(
    name: "minimal-cake",
    idea: "a type makes what its protocol's logic uses",
    replaced: "a constant at any level",
    code: #"""
      protocol UsesMailer { var mailer: any Mailer { get } }
      protocol WelcomeService: UsesMailer {
        func greet(_ name: String) -> String  // required: a double may have its own
      }
      extension WelcomeService {
        func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
      }
      final class MixInWelcomeService: WelcomeService {
        let mailer: any Mailer = Post()
      }
      final class WelcomeServiceForTest: WelcomeService {
        let mailer: any Mailer = Outbox()
      }
      let program: any WelcomeService = MixInWelcomeService()
      let test: any WelcomeService = WelcomeServiceForTest()
      """#,
    mistake: .compilerError(
      leavingOut: #"let mailer: any Mailer = Post()"#, writing: #""#,
      error: "type 'MixInWelcomeService' does not conform to protocol 'UsesMailer'"),
    run: {
      // The lesson shows the lines below.
      let program: any WelcomeService = MixInWelcomeService()
      let test: any WelcomeService = WelcomeServiceForTest()
      // The lesson ends here.
      return (program.greet("Ada"), test.greet("Ada"))
    })
}
