internal import Ambient

/// What the Edge Network and Adobe Analytics demand, in one table: the collector and the validator
/// both look here.
///
/// Sources: developer.adobe.com/data-collection-apis/docs (collect, guardrails, troubleshooting),
/// and experienceleague.adobe.com/docs/analytics/implementation (page variables; mapping of the
/// data object and of XDM; types of hits, also those of A4T).
enum AdobeRules {
  /// A request may have 64 KB, of 1,000 bytes or of 1,024; this leaves room for what somebody on
  /// the way may add.
  static let request = RequestLimits(events: 1_000, bytes: 60_000)
  static let requestStart = #"{"events":["#
  static let requestEnd = "]}"

  static let eVars = 1...250
  static let props = 1...75
  static let lists = 1...3
  static let customEvents = 1...1_000

  /// Bytes of a product's name, and of its category.
  static var productLength: Int { 100 }
  static var eVarLength: Int { 255 }
  static var propLength: Int { 100 }
  static var transactionLength: Int { 100 }
  /// Bytes of what an event or a purchase is counted once by: letters and digits.
  static var keyLength: Int { 20 }
  static var listValues: Int { 250 }
  static var userIDLength: Int { 1_024 }
  /// For so long a visit takes further events.
  static let age = Duration.seconds(92 * 86_400)

  /// What separates products, their fields, and the events and variables of a product.
  static let productSeparators = ",;|"

  /// Names of events that are types with a meaning at Adobe: what has one of these is a page view,
  /// or of Target, and then dropped by Adobe Analytics though it was taken.
  static func isReservedType(_ name: String) -> Bool {
    let name = name.lowercased()
    return reservedTypes.contains(name) || name.hasPrefix("decisioning.proposition")
  }

  private static let reservedTypes: Set = [
    "click", "display", "personalization.request", "web.webpagedetails.pageviews",
  ]

  static let contextName = NameRule(
    "a name", longest: .max, prefixes: ["a."], marks: ".")

  /// The letters that stand for a type of link.
  static let linkTypes = [
    "o": "o", "other": "o", "d": "d", "download": "d", "e": "e", "exit": "e",
  ]
}

extension EventRule {
  /// A value has a character that separates values there.
  public static let separator = EventRule("separator")
  /// A link has a page, which Adobe Analytics drops.
  public static let pageOfLink = EventRule("page-of-link")
  /// A type of link that there is not.
  public static let linkTypeUnknown = EventRule("link-type-unknown")
}
