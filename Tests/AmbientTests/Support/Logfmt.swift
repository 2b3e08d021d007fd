import Foundation

/// Reads a line of logfmt by its rules: bare values end at a space, others stand between quotation
/// marks and are escaped as in JSON.
enum Logfmt {
  struct Failure: Error {
    let rest: String
  }

  static func read(_ line: String) throws -> [String: String] {
    var pairs: [String: String] = [:]
    var rest = Substring(line.hasSuffix("\n") ? line.dropLast() : Substring(line))
    while !rest.isEmpty {
      guard let sign = rest.firstIndex(of: "=") else { throw Failure(rest: String(rest)) }
      let name = String(rest[..<sign])
      rest = rest[rest.index(after: sign)...]
      let value: String
      if rest.first == "\"" {
        guard
          let match = rest.prefixMatch(of: /"(?:[^"\\]|\\.)*"/.matchingSemantics(.unicodeScalar))
        else { throw Failure(rest: String(rest)) }
        value = try JSONDecoder().decode(String.self, from: Data(match.output.utf8))
        rest = rest[match.range.upperBound...]
      } else {
        value = String(rest.prefix { $0 != " " })
        rest = rest.dropFirst(value.count)
      }
      guard pairs.updateValue(value, forKey: name) == nil, rest.isEmpty || rest.first == " " else {
        throw Failure(rest: String(rest))
      }
      rest = rest.dropFirst()
    }
    return pairs
  }
}
