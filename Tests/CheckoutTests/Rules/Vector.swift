// SPDX-License-Identifier: Apache-2.0

import Checkout
import Foundation
import Testing

/// One line of the table of rules: what a rule says at an instant in a zone.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
  let id: String
  let rule: String
  let instant: String
  let zone: Zone
  let input: [String: JSONValue]
  let expected: JSONValue

  var testDescription: String { "\(id) \(rule) at \(instant) in \(zone)" }

  struct Missing: Error { let field: String }

  func text(_ field: String) throws -> String {
    guard case .string(let text)? = input[field] else { throw Missing(field: field) }
    return text
  }

  func number(_ field: String) throws -> Int {
    guard case .number(let number)? = input[field] else { throw Missing(field: field) }
    return try #require(Int("\(number)"), "\(field) is a whole number")
  }

  func moment(_ field: String) throws -> Moment? {
    input[field] == nil ? nil : try Moment(try text(field))
  }

  func dates(_ field: String) throws -> Set<LocalDate> {
    guard let value = input[field] else { return [] }
    guard case .array(let values) = value else { throw Missing(field: field) }
    return try Set(
      values.map {
        guard case .string(let text) = $0 else { throw Missing(field: field) }
        return try LocalDate(text)
      })
  }

  /// Every vector of every file in the folder.
  static func all() throws -> [Vector] {
    struct File: Decodable { let vectors: [Vector] }
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Vectors")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "json" }.flatMap {
      try JSONDecoder().decode(File.self, from: Data(contentsOf: $0)).vectors
    }
  }
}
