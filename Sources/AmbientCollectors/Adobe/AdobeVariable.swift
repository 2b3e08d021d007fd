/// A variable of Adobe Analytics, which a property of an event goes into.
public enum AdobeVariable: Hashable, Sendable {
  /// A conversion variable, 1 to 250: 255 bytes.
  case eVar(Int)
  /// A traffic variable, 1 to 75: 100 bytes.
  case prop(Int)
  /// A list variable, 1 to 3, of values of 255 bytes, 250 at most. The delimiter is that of the
  /// report suite's settings.
  case list(Int, delimiter: Character = ",")
  /// The page, 100 bytes. An event that has one, and nothing of a link, counts as a page view; of a
  /// link Adobe drops it.
  case pageName
  /// The address of the page, 255 bytes. It counts as ``pageName`` does.
  case pageURL
  /// The section of the site, 100 bytes.
  case channel
  /// The server, 100 bytes.
  case server
  /// The tracking code, 255 bytes.
  case campaign
  /// Where the visitor came from, 255 bytes.
  case referrer
  /// The postal code, 50 bytes.
  case zip
  /// What a purchase is counted once by: 20 letters and digits. A text that is longer, or has other
  /// characters, becomes 20 hexadecimal digits that are made of it. Events without
  /// ``AdobeMetric/purchase`` have none: they would not count beside that of their order.
  case purchaseID
  /// What data of other sources are tied to, 100 bytes.
  case transactionID
  /// The currency of amounts, a code of ISO 4217.
  case currencyCode
  /// The name of a link, 100 bytes; the name of the event where there is none.
  case linkName
  /// The type of a link: `o` (other), `d` (download) or `e` (exit), or those words.
  case linkType
  /// The address of a link, 255 bytes.
  case linkURL
  /// A variable for processing rules, by another name than that of the property.
  case contextData(String)

  /// Its name in the `data` object; that of ``contextData(_:)`` stands below `contextData`.
  var name: String {
    switch self {
    case .eVar(let number): "eVar\(number)"
    case .prop(let number): "prop\(number)"
    case .list(let number, _): "list\(number)"
    case .contextData(let name): name
    default: "\(self)"
    }
  }

  /// Whether both are one place at Adobe: names of context data are the same in small letters.
  func isSame(_ other: AdobeVariable) -> Bool {
    if case .contextData(let name) = self, case .contextData(let second) = other {
      return name.lowercased() == second.lowercased()
    }
    if case .list(let number, _) = self, case .list(number, _) = other { return true }
    return self == other
  }

  /// The most bytes of a value that is cut.
  var longest: Int {
    switch self {
    case .eVar, .list, .pageURL, .campaign, .referrer, .linkURL: AdobeRules.eVarLength
    case .prop, .pageName, .channel, .server, .linkName: AdobeRules.propLength
    case .zip: 50
    case .purchaseID, .transactionID, .currencyCode, .linkType, .contextData: .max
    }
  }

  /// - Throws: ``CollectorError`` if there is no such variable.
  func check() throws(CollectorError) {
    switch self {
    case .eVar(let number): try Self.check(number, in: AdobeRules.eVars, "eVar")
    case .prop(let number): try Self.check(number, in: AdobeRules.props, "prop")
    case .list(let number, let delimiter):
      try Self.check(number, in: AdobeRules.lists, "list")
      guard let code = delimiter.asciiValue, code > 32, code < 127, !delimiter.isLetter,
        !delimiter.isNumber
      else {
        throw .invalidSetting(name: name, reason: "a delimiter is a mark of ASCII, as a comma")
      }
    case .contextData(let name):
      guard AdobeRules.contextName.isFitting(name) else {
        throw .invalidSetting(
          name: "contextData",
          reason: "“\(EventProblem.shown(name))” is no name of letters, digits, underscores and "
            + "periods, a letter first, that does not begin with “a.”")
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
      reason: "there are \(kind)\(range.lowerBound) to \(kind)\(range.upperBound)")
  }
}
