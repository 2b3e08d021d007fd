// SPDX-License-Identifier: Apache-2.0

import Ambient

// The lesson shows the lines below.
private protocol RequiresTexts { var texts: any Texts { get } }
private struct Sign: RequiresTexts {  // neither initializer nor property
  func text(for name: String) -> String { texts.welcome(name) }
}
extension RequiresTexts {  // the application, once
  var texts: any Texts { Language.texts.instance }
}
private enum Language {
  static let texts = AmbientContext<any Texts>("Language") { English() }
}
// The lesson ends here.

extension Lesson {
  static let mixin = Lesson(
    name: "mixin",
    idea: "a protocol's extension supplies its requirement",
    replaced: "the instance that it reads",
    cast: "English and German are Texts, which nearly every type of a program uses.",
    code: #"""
      protocol RequiresTexts { var texts: any Texts { get } }
      struct Sign: RequiresTexts {  // neither initializer nor property
        func text(for name: String) -> String { texts.welcome(name) }
      }
      extension RequiresTexts {  // the application, once
        var texts: any Texts { Language.texts.instance }
      }
      enum Language {
        static let texts = AmbientContext<any Texts>("Language") { English() }
      }
      Language.texts.instance = English()  // at the start
      let program = Sign().text(for: "Ada")
      let test = Language.texts.withInstance(German()) { Sign().text(for: "Ada") }
      """#,
    mistake: .compilerError(
      leavingOut: #"var texts: any Texts { Language.texts.instance }"#, writing: #""#,
      error: "type 'Sign' does not conform to protocol 'RequiresTexts'"),
    run: {
      // The lesson shows the lines below.
      Language.texts.instance = English()  // at the start
      let program = Sign().text(for: "Ada")
      let test = Language.texts.withInstance(German()) { Sign().text(for: "Ada") }
      // The lesson ends here.
      return (program, test)
    })
}
