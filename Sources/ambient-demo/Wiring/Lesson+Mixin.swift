import Ambient

// shown
private protocol RequiresMailer {
  var mailer: any Mailer { get }
}
private struct Greeter: RequiresMailer {  // no initializer, and no property of its own
  func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
}
extension RequiresMailer {  // the application, once
  var mailer: any Mailer { Application.context.instance }
}
private enum Application {
  static let context = AmbientContext<any Mailer>("Mailer") { Post() }
}
// end

extension Lesson {
  static let mixin = Lesson(
    name: "mixin",
    idea: "a protocol's extension supplies what it requires",
    teller: "the compiler",
    replaced: "what the answer reads",
    code: #"""
      protocol RequiresMailer {
        var mailer: any Mailer { get }
      }
      struct Greeter: RequiresMailer {  // no initializer, and no property of its own
        func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
      }
      extension RequiresMailer {  // the application, once
        var mailer: any Mailer { Application.context.instance }
      }
      enum Application {
        static let context = AmbientContext<any Mailer>("Mailer") { Post() }
      }

      Application.context.instance = Post()  // at the start
      let program = Greeter().greet("Ada")
      let test = Application.context.withInstance(Outbox()) { Greeter().greet("Ada") }
      """#,
    mistake: .told(
      leavingOut: #"var mailer: any Mailer { Application.context.instance }"#, writing: #""#,
      error: "type 'Greeter' does not conform to protocol 'RequiresMailer'"),
    run: {
      // shown
      Application.context.instance = Post()  // at the start
      let program = Greeter().greet("Ada")
      let test = Application.context.withInstance(Outbox()) { Greeter().greet("Ada") }
      // end
      return (program, test)
    })
}
