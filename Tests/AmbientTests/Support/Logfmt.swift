// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads a line of logfmt by its rules: bare values end at a space, others stand between quotation
/// marks and are escaped as in JSON. As go-logfmt does, it refuses names with what is no UTF-8.
enum Logfmt {
  struct Failure: Error {
    let rest: String
  }

  static func read(_ line: String) throws -> [String: String] {
    let bytes = Array((line.hasSuffix("\n") ? line.dropLast() : line[...]).utf8)
    var pairs: [String: String] = [:]
    var place = 0
    func fail() -> Failure { Failure(rest: String(decoding: bytes[place...], as: UTF8.self)) }
    func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }
    while place < bytes.count {
      var start = place
      while let byte = peek(), byte > 0x20, byte != 0x3D, byte != 0x22 { place += 1 }
      let name = String(decoding: bytes[start..<place], as: UTF8.self)
      guard !name.isEmpty, !name.unicodeScalars.contains("\u{FFFD}"), peek() == 0x3D else {
        throw fail()
      }
      place += 1
      start = place
      let value: String
      if peek() == 0x22 {
        place += 1
        while let byte = peek(), byte != 0x22 { place += byte == 0x5C ? 2 : 1 }
        guard peek() == 0x22 else { throw fail() }
        place += 1
        let quoted = bytes[start..<place]
        value =
          quoted.contains(0x5C)
          ? try JSONDecoder().decode(String.self, from: Data(quoted))
          : String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
      } else {
        while let byte = peek(), byte != 0x20 { place += 1 }
        let bare = bytes[start..<place]
        guard !bare.contains(0x22), !bare.contains(0x3D) else { throw fail() }
        value = String(decoding: bare, as: UTF8.self)
      }
      guard pairs.updateValue(value, forKey: name) == nil, peek() ?? 0x20 == 0x20 else {
        throw fail()
      }
      place += 1
    }
    return pairs
  }
}
