// SPDX-License-Identifier: Apache-2.0

/// A style of wiring, in a dozen lines of code that are shown and run.
struct Lesson: Sendable {
  /// The failure that a missing part causes.
  enum Mistake: Sendable {
    /// The compiler reports the failure if `leavingOut` is replaced by `writing`.
    case compilerError(leavingOut: String, writing: String, error: String)
    /// The failure occurs at run time. The closure `run` runs the code without the part.
    case runtimeError(leavingOut: String, run: @Sendable () throws -> Void)
  }

  /// The style's name on the command line.
  let name: String
  /// The idea of the style, in a sentence.
  let idea: String
  /// The way in which a missing part is reported.
  var reporter = "the compiler"
  /// The part that a test replaces.
  let replaced: String
  /// The types that the code uses but does not show.
  var cast = "\(mailers)."
  /// The lines between the comments “The lesson shows the lines below.” and “The lesson ends here.”
  /// of the compiled source, without the word `private`.
  let code: String
  let mistake: Mistake
  /// Runs the code. Returns the program's output, and the output of a test that uses a test double.
  let run: @Sendable () throws -> (program: String, test: String)

  static let mailers = "Post is the real Mailer, Outbox that of a test"

  static let all: [Lesson] = [
    initializer, property, method, factory, cake, minimalCake, mixin, locator,
  ]

  /// Returns the code, the results of running it, and the failure that a missing part causes.
  func text(style: Style) throws -> String {
    let (program, test) = try run()
    let code = code.split(separator: "\n", omittingEmptySubsequences: false)
    let error = (error ?? "nothing").wrapped(to: style.textWidth - 2)
    let title = "\(name): \(idea)".wrapped(to: style.textWidth).joined(separator: "\n")
    return """
      \(style.bold(name))\(title.dropFirst(name.count))
      \(cast.wrapped(to: style.textWidth).joined(separator: "\n"))
      \(indented(code))

      The program: \(style.green(program))
      A test:      \(style.green(test))
      \(change.wrapped(to: style.textWidth).joined(separator: "\n"))
      \(style.red(indented(error)))

      """
  }

  /// The error that the missing part causes: the compiler's error, or the error that `run` throws.
  /// Nil if `run` throws no error.
  private var error: String? {
    switch mistake {
    case .compilerError(_, _, let error): return error
    case .runtimeError(_, let run):
      do { try run() } catch { return "\(error)" }
      return nil
    }
  }

  /// The mistake in the code, and who reports it.
  private var change: String {
    switch mistake {
    case .compilerError(let part, "", _): "Without “\(part)” the compiler says:"
    case .compilerError(_, let instead, _): "With “\(instead)” the compiler says:"
    case .runtimeError(let part, _): "Without “\(part)” it throws:"
    }
  }

  private func indented(_ lines: [some StringProtocol]) -> String {
    lines.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
  }
}

/// A sender of messages to customers. It is the part that most lessons connect.
protocol Mailer: Sendable {
  func send(_ text: String) -> String
}

struct Post: Mailer {
  func send(_ text: String) -> String { "sent by post: \(text)" }
}

struct Outbox: Mailer {
  func send(_ text: String) -> String { "kept by a test: \(text)" }
}

/// A greeter that sends greetings with the mailer passed to its initializer. Several lessons use
/// this greeter.
struct Welcome {
  let mailer: any Mailer
  func greet(_ name: String) -> String { mailer.send("Welcome, \(name)!") }
}

/// The texts of a program, in the language of its users.
protocol Texts: Sendable {
  func welcome(_ name: String) -> String
}

struct English: Texts {
  func welcome(_ name: String) -> String { "Welcome, \(name)!" }
}

struct German: Texts {
  func welcome(_ name: String) -> String { "Willkommen, \(name)!" }
}
