// SPDX-License-Identifier: Apache-2.0

/// The rules of a request's method and header fields.
package enum HeaderFieldRules {
  /// Fields that the system sends itself, or that would change how a body is read.
  private static var reserved: Set<String> {
    [
      "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer",
      "transfer-encoding", "upgrade",
    ]
  }

  /// The longest prefix of `text` that is a token (RFC 9110, 5.6.2). A method or a field's name is
  /// valid if it is not empty and equals this prefix.
  package static func token(_ text: String) -> Substring {
    let scalars = text.unicodeScalars.prefix { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": true
      default: "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar)
      }
    }
    return text[scalars.startIndex..<scalars.endIndex]
  }

  /// The name, or its beginning and an ellipsis if the rest may be a part of a value, as in
  /// “Authorization: Basic …”.
  package static func shown(_ name: String) -> String {
    let token = token(name)
    return token.count == name.count ? name : "\(token.prefix(40))…"
  }

  /// The reason why the field cannot be sent; nil if it can.
  package static func fault(_ name: String, _ value: String) -> String? {
    if name.isEmpty { return "its name is empty" }
    if token(name).utf8.count < name.utf8.count {
      return "its name contains a character other than letters, digits and !#$%&'*+-.^_`|~"
    }
    // RFC 9110, 5.5, allows no control characters in a value, except the horizontal tab (9).
    if !value.utf8.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) {
      return "its value contains a line break or another control character; remove it"
    }
    return reserved.contains(name.lowercased()) ? "the connection sets it; leave it out" : nil
  }
}
