import Ambient

// shown
private protocol RequiresMailer { var mailer: any Mailer { get } }
private struct Greeter: RequiresMailer {  // neither initializer nor property
  func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
}
extension RequiresMailer {  // the application, once
  var mailer: any Mailer { Shop.mailers.instance }
}
private enum Shop {
  static let mailers = AmbientContext<any Mailer>("Mailer") { Post() }
}
// end

extension Lesson {
  static let mixin = Lesson(
    name: "mixin",
    idea: "a protocol's extension supplies what it requires",
    teller: "the compiler",
    replaced: "what the answer reads",
    code: #"""
      protocol RequiresMailer { var mailer: any Mailer { get } }
      struct Greeter: RequiresMailer {  // neither initializer nor property
        func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
      }
      extension RequiresMailer {  // the application, once
        var mailer: any Mailer { Shop.mailers.instance }
      }
      enum Shop {
        static let mailers = AmbientContext<any Mailer>("Mailer") { Post() }
      }

      Shop.mailers.instance = Post()  // at the start
      let program = Greeter().greet("Ada")
      let test = Shop.mailers.withInstance(Outbox()) { Greeter().greet("Ada") }
      """#,
    mistake: .told(
      leavingOut: #"var mailer: any Mailer { Shop.mailers.instance }"#, writing: #""#,
      error: "type 'Greeter' does not conform to protocol 'RequiresMailer'"),
    run: {
      // shown
      Shop.mailers.instance = Post()  // at the start
      let program = Greeter().greet("Ada")
      let test = Shop.mailers.withInstance(Outbox()) { Greeter().greet("Ada") }
      // end
      return (program, test)
    })
}
