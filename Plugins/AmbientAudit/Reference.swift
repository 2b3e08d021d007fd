import Foundation

/// Where an object file refers to a symbol that is not its own.
struct Reference {
  /// The path of the object.
  let object: String
  /// The mangled symbol.
  let symbol: String
  /// The mangled function that refers to it.
  let function: String
  /// The source file, and its line if the object has one for the place.
  let file: String?
  let line: Int?

  /// The references in what `llvm-objdump --disassemble --reloc --line-numbers` prints.
  ///
  /// An object begins with `/path/A.swift.o: file format …`, a function with `0000 <name>:`, a line
  /// of source is `; /path/A.swift:12`, and a reference follows its instruction: the place, the
  /// kind (`R_X86_64_PLT32`) and the symbol with an offset.
  static func all(in disassembly: [String]) -> [Reference] {
    var references: [Reference] = []
    var object = ""
    var function = ""
    var file: String?
    var line: Int?
    for text in disassembly {
      if let mark = text.range(of: ":\tfile format ") {
        object = String(text[..<mark.lowerBound])
      } else if text.hasSuffix(">:"), let start = text.firstIndex(of: "<") {
        function = String(text[text.index(after: start)...].dropLast(2))
        (file, line) = (nil, nil)
      } else if text.hasPrefix("; /"), let colon = text.lastIndex(of: ":"),
        let number = Int(text[text.index(after: colon)...])
      {
        file = String(text[..<colon].dropFirst(2))
        line = number > 0 ? number : line
      } else if let symbol = symbol(ofRelocation: text) {
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
