// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A relocation in an object file: a function's reference to a symbol.
struct Reference {
  /// The path of the object.
  let object: String
  /// The mangled name of the symbol.
  let symbol: String
  /// The mangled name of the function that refers to the symbol.
  let function: String
  /// The source file and the line, if the object has line numbers for the reference.
  let file: String?
  var line: Int?

  /// Returns the references in the output of `llvm-objdump --disassemble --reloc --line-numbers`.
  ///
  /// The line `/path/A.swift.o: file format …` comes before an object's functions, and the line
  /// `0000 <name>:` comes before a function's instructions. The line `; /path/A.swift:12` gives the
  /// source of the instructions after it. A reference follows its instruction, and consists of an
  /// address, the type of the relocation (`R_X86_64_PLT32`), and the symbol with an offset.
  ///
  /// The instructions that evaluate a default argument have no line of their own, so a reference to
  /// a default argument is given the line of the call, which is the next reference to its function.
  static func all(in disassembly: [String]) -> [Reference] {
    var references: [Reference] = []
    var object = ""
    var function = ""
    var file: String?
    var line: Int?
    var defaults: [(index: Int, call: String)] = []
    for text in disassembly {
      if let mark = text.range(of: ":\tfile format ") {
        object = String(text[..<mark.lowerBound])
      } else if text.hasSuffix(">:"), let start = text.firstIndex(of: "<") {
        function = String(text[text.index(after: start)...].dropLast(2))
        (file, line) = (nil, nil)
        defaults = []
      } else if text.hasPrefix("; /"), let colon = text.lastIndex(of: ":"),
        let number = Int(text[text.index(after: colon)...])
      {
        file = String(text[..<colon].dropFirst(2))
        line = number > 0 ? number : line
      } else if let symbol = symbol(ofRelocation: text) {
        for (index, call) in defaults where symbol == call || symbol == "\(call)Tu" {
          references[index].line = line
        }
        defaults.removeAll { symbol == $0.call }
        if symbol.hasSuffix("_"), let suffix = symbol.firstRange(of: #/fA\d*_$/#) {
          defaults.append((references.count, String(symbol[..<suffix.lowerBound])))
        }
        references.append(
          Reference(
            object: object, symbol: symbol, function: function, file: file, line: line))
      }
    }
    return references
  }

  private static func symbol(ofRelocation text: String) -> String? {
    guard text.hasPrefix("\t\t"), text.contains("R_") else { return nil }
    let words = text.split(whereSeparator: { $0 == "\t" || $0 == " " })
    guard let kind = words.firstIndex(where: { $0.hasPrefix("R_") }), kind + 1 < words.count else {
      return nil
    }
    let symbol = words[kind + 1]
    for sign in ["-0x", "+0x"] {
      if let range = symbol.range(of: sign, options: .backwards) {
        return String(symbol[..<range.lowerBound])
      }
    }
    return String(symbol)
  }
}
