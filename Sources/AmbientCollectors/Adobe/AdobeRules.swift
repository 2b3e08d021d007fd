// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The limits of the Edge Network and of Adobe Analytics, which the collector and the validator
/// share.
///
/// Sources: developer.adobe.com/data-collection-apis/docs (collect, guardrails, troubleshooting),
/// and experienceleague.adobe.com/docs/analytics/implementation (page variables; mapping of the
/// data object and of XDM; hit types, including those of Analytics for Target).
enum AdobeRules {
  /// The limits of a request. Adobe accepts 64 KB, but does not say whether a KB is 1,000 or 1,024
  /// bytes. The limit of 60,000 bytes leaves room for bytes that a proxy adds.
  static let request = RequestLimits(events: 1_000, bytes: 60_000)
  static let requestStart = #"{"events":["#
  static let requestEnd = "]}"

  static let eVars = 1...250
  static let props = 1...75
  static let lists = 1...3
  static let customEvents = 1...1_000

  /// The maximum length, in bytes, of a product's name and of its category.
  static var productLength: Int { 100 }
  static var eVarLength: Int { 255 }
  static var propLength: Int { 100 }
  static var transactionLength: Int { 100 }
  /// The maximum number of letters and digits in the key of an event or purchase. Adobe counts only
  /// the first of several events, or of several purchases, with the same key.
  static var keyLength: Int { 20 }
  static var listValues: Int { 250 }
  static var userIDLength: Int { 1_024 }
  /// The age up to which Adobe adds late events to a visit: 92 days.
  static let age = Duration.seconds(92 * 86_400)

  /// The characters that separate products (`,`), the fields of a product (`;`), and the events or
  /// variables of a product (`|`).
  static let productSeparators = ",;|"

  /// Whether Adobe itself uses an event type of this name. Adobe would count such an event as a
  /// page view, or would treat it as an event of Adobe Target and drop it from Analytics without an
  /// error.
  static func isReservedType(_ name: String) -> Bool {
    let name = name.lowercased()
    return reservedTypes.contains(name) || name.hasPrefix("decisioning.proposition")
  }

  private static let reservedTypes: Set = [
    "click", "display", "personalization.request", "web.webpagedetails.pageviews",
  ]

  static let contextName = NameRule(
    "a name", longest: .max, prefixes: ["a."], marks: ".")

  /// Adobe's letter for each type of link, keyed by the letter or the word.
  static let linkTypes = [
    "o": "o", "other": "o", "d": "d", "download": "d", "e": "e", "exit": "e",
  ]
}

extension EventRule {
  /// A value contains a character that separates values in its variable.
  package static let separator = EventRule("separator")
  /// An event that counts as a link also has a page; Adobe Analytics drops the page.
  package static let pageOfLink = EventRule("page-of-link")
  /// Adobe does not know the event's type of link.
  package static let linkTypeUnknown = EventRule("link-type-unknown")
}
