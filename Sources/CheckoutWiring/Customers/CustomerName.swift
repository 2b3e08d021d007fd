// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The comparison of the names by which customers sign in, and the rules for new names.
public enum CustomerName {
  /// The maximum length of a name, in Unicode scalars of its folded form.
  public static let limit = 255

  /// The form in which names are compared: NFKC, case folded, trimmed, and without invisible
  /// characters; nil for a text that is empty or too long to be a name.
  ///
  /// - Parameter name: The name as it was written.
  public static func folded(_ name: String) -> String? {
    guard name.utf8.count <= 4 * limit else { return nil }
    let text = fold(name)
    return text.isEmpty || text.unicodeScalars.count > limit ? nil : text
  }

  /// The name in the form that is stored and shown. Throws if the name breaks a rule for new names.
  static func checked(_ name: String) throws(CustomerError) -> String {
    guard name.utf8.count <= 4 * limit else { throw .nameTooLong(limit: limit) }
    let text = name.precomposedStringWithCanonicalMapping
      .trimmingCharacters(in: .whitespacesAndNewlines)
    if let scalar = text.unicodeScalars.first(where: isUnprintable) { throw .nameCharacter(scalar) }
    let folded = fold(text)
    guard !folded.isEmpty else { throw .emptyName }
    guard folded.unicodeScalars.count <= limit else { throw .nameTooLong(limit: limit) }
    return text
  }

  private static func fold(_ name: String) -> String {
    var text = name.precomposedStringWithCompatibilityMapping
    text.unicodeScalars.removeAll { $0.properties.isDefaultIgnorableCodePoint }
    // The loop runs twice, because case folding may leave characters that can be composed, and
    // composing may make characters that can be folded.
    for _ in 0..<2 { text = caseFolded(text).precomposedStringWithCompatibilityMapping }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Folds case as Unicode's CaseFolding.txt does. Swift has no function for that, and Foundation's
  /// folding lacks letters of later versions of Unicode. So each character is converted to lower
  /// case, to upper case, and back to lower case, which turns ß into ss and ς into σ. The dotless ı
  /// is kept unchanged, because its upper case is I, whose lower case is i.
  private static func caseFolded(_ text: String) -> String {
    var folded = ""
    for scalar in text.unicodeScalars {
      folded += scalar == "ı" ? "ı" : scalar.properties.lowercaseMapping.uppercased().lowercased()
    }
    return folded
  }

  /// Whether the scalar is invisible, or has no meaning of its own. The zero-width joiner and
  /// non-joiner are allowed, because Persian and the scripts of India need them.
  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    default: false
    }
  }
}
