// SPDX-License-Identifier: Apache-2.0

/// A variable of Adobe Analytics to which a property of an event is mapped.
///
/// A text that is longer than its variable allows is cut, unless the variable says otherwise, and a
/// list keeps its first values. An object is left out, and so is an array outside
/// ``list(_:delimiter:)``. The collector counts and reports the change, or refuses the event
/// (``AdobeOptions/policy``). If a number is out of its variable's range, or a delimiter or a name
/// is invalid, the initializer of ``AdobeMapping`` throws ``CollectorError``.
@nonexhaustive
public enum AdobeVariable: Hashable, Sendable {
  /// A conversion variable, numbered 1 to 250, of at most 255 bytes.
  case eVar(Int)
  /// A traffic variable, numbered 1 to 75, of at most 100 bytes.
  case prop(Int)
  /// A list variable, numbered 1 to 3, of at most 250 values of 255 bytes.
  ///
  /// The delimiter must be that of the report suite's settings: a punctuation mark or symbol of
  /// ASCII, such as a comma. A delimiter within a value is replaced by a space.
  case list(Int, delimiter: Character = ",")
  /// The name of the page, at most 100 bytes.
  ///
  /// An event with a page and without a link counts as a page view. If the event has a link, Adobe
  /// drops the page.
  case pageName
  /// The address of the page, at most 255 bytes.
  ///
  /// Like ``pageName``, it makes an event a page view.
  case pageURL
  /// The section of the site, at most 100 bytes.
  case channel
  /// The server, at most 100 bytes.
  case server
  /// The tracking code, at most 255 bytes.
  case campaign
  /// The page that the visitor came from, at most 255 bytes.
  case referrer
  /// The postal code, at most 50 bytes.
  case zip
  /// The key by which Adobe counts a purchase only once, at most 20 letters and digits of ASCII.
  ///
  /// A longer text, or a text with other characters, is replaced by 20 hexadecimal digits of its
  /// digest. An event without the metric ``AdobeMetric/purchase`` is sent without the key.
  /// Otherwise Adobe would count that event, and would drop the purchase as a repetition. A
  /// property that is mapped to no other variable becomes context data of such an event.
  ///
  /// An empty text or a private value is not sent as a key. A digest in place of a text is neither
  /// counted nor reported, and the event is not refused for it.
  case purchaseID
  /// The key that connects data from other sources to the event, at most 100 bytes.
  ///
  /// A longer key is left out, because its beginning could be the key of another transaction. A
  /// private value is left out, too. A comma in a key is replaced by a space.
  case transactionID
  /// The currency of amounts, a code of ISO 4217 in any case; any other text is left out.
  ///
  /// Small letters are changed to capitals.
  case currencyCode
  /// The name of a link, at most 100 bytes; by default the name of the event.
  ///
  /// It makes the event a link, as ``linkType`` and ``linkURL`` do.
  case linkName
  /// The type of a link: `o` or `other`, `d` or `download`, `e` or `exit`.
  ///
  /// Any other text becomes `o`, which is also the default. Like ``linkName``, it makes the event a
  /// link.
  case linkType
  /// The address of a link, at most 255 bytes.
  ///
  /// Like ``linkName``, it makes the event a link.
  case linkURL
  /// A context data variable for processing rules, with the variable's name.
  ///
  /// The name replaces the mapped property's own name. It begins with a letter, but not with `a.`,
  /// and has only letters, digits, underscores and periods, all of ASCII.
  case contextData(String)

  /// The variable's name in the `data` object; a ``contextData(_:)`` is nested in `contextData`.
  var name: String {
    switch self {
    case .eVar(let number): "eVar\(number)"
    case .prop(let number): "prop\(number)"
    case .list(let number, _): "list\(number)"
    case .contextData(let name): name
    default: "\(self)"
    }
  }

  /// Returns whether both values denote the same variable of Adobe. Names of context data are
  /// case-insensitive, and the delimiter of a list does not matter.
  func isSame(_ other: AdobeVariable) -> Bool {
    if case .contextData(let name) = self, case .contextData(let second) = other {
      return name.lowercased() == second.lowercased()
    }
    if case .list(let number, _) = self, case .list(number, _) = other { return true }
    return self == other
  }

  /// The number of bytes to which a value is cut, or `.max` if values are not cut.
  var longest: Int {
    switch self {
    case .eVar, .list, .pageURL, .campaign, .referrer, .linkURL: AdobeRules.eVarLength
    case .prop, .pageName, .channel, .server, .linkName: AdobeRules.propLength
    case .zip: 50
    case .purchaseID, .transactionID, .currencyCode, .linkType, .contextData: .max
    }
  }

  /// Checks that Adobe has the variable, and that a delimiter or a name of context data is valid.
  ///
  /// - Throws: ``CollectorError`` if the variable does not exist, or the delimiter or the name is
  ///   invalid.
  func check() throws(CollectorError) {
    switch self {
    case .eVar(let number): try Self.check(number, in: AdobeRules.eVars, "eVar")
    case .prop(let number): try Self.check(number, in: AdobeRules.props, "prop")
    case .list(let number, let delimiter):
      try Self.check(number, in: AdobeRules.lists, "list")
      guard let code = delimiter.asciiValue, code > 32, code < 127, !delimiter.isLetter,
        !delimiter.isNumber
      else {
        throw .invalidSetting(
          name: name, reason: "a delimiter is an ASCII punctuation mark, such as a comma")
      }
    case .contextData(let name):
      guard AdobeRules.contextName.isFitting(name) else {
        throw .invalidSetting(
          name: "contextData",
          reason: """
            “\(EventProblem.shown(name))” is not a valid name; use letters, digits, underscores and \
            periods, begin with a letter, and do not begin with “a.”
            """)
      }
    default: break
    }
  }

  static func check(
    _ number: Int, in range: ClosedRange<Int>, _ kind: String
  ) throws(CollectorError) {
    guard !range.contains(number) else { return }
    throw .invalidSetting(
      name: "\(kind)\(number)",
      reason: "expected \(kind)\(range.lowerBound) to \(kind)\(range.upperBound)")
  }
}
