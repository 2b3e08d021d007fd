// SPDX-License-Identifier: Apache-2.0

// The lesson shows the lines below.
private protocol MailerComponent { static var mailer: any Mailer { get } }
private protocol ByPost: MailerComponent {}  // how it is created
extension ByPost { static func createMailer() -> any Mailer { Post() } }
private protocol WelcomeComponent { static var welcome: Welcome { get } }
extension WelcomeComponent where Self: MailerComponent {  // what it needs
  static func createWelcome() -> Welcome { Welcome(mailer: mailer) }
}
private enum AppContext: ByPost, WelcomeComponent {
  static let mailer = createMailer()
  static let welcome = createWelcome()
}
private enum TestContext: MailerComponent, WelcomeComponent {
  static let mailer: any Mailer = Outbox()
  static let welcome = createWelcome()
}
// The lesson ends here.

extension Lesson {
  static let cake = Lesson(
    name: "cake",
    idea: "an enum mixes a component for each service",
    replaced: "a constant of a context",
    cast: "\(mailers); a Welcome is given one.",
    code: #"""
      protocol MailerComponent { static var mailer: any Mailer { get } }
      protocol ByPost: MailerComponent {}  // how it is created
      extension ByPost { static func createMailer() -> any Mailer { Post() } }
      protocol WelcomeComponent { static var welcome: Welcome { get } }
      extension WelcomeComponent where Self: MailerComponent {  // what it needs
        static func createWelcome() -> Welcome { Welcome(mailer: mailer) }
      }
      enum AppContext: ByPost, WelcomeComponent {
        static let mailer = createMailer()
        static let welcome = createWelcome()
      }
      enum TestContext: MailerComponent, WelcomeComponent {
        static let mailer: any Mailer = Outbox()
        static let welcome = createWelcome()
      }
      let (program, test) = (AppContext.welcome, TestContext.welcome)
      """#,
    mistake: .compilerError(
      leavingOut: #"static let mailer = createMailer()"#, writing: #""#,
      error: "type 'AppContext' does not conform to protocol 'MailerComponent'"),
    run: {
      // The lesson shows the lines below.
      let (program, test) = (AppContext.welcome, TestContext.welcome)
      // The lesson ends here.
      return (program.greet("Ada"), test.greet("Ada"))
    })
}
