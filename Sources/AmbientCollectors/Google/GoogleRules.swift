// SPDX-License-Identifier: Apache-2.0

/// The limits of the Measurement Protocol of Google Analytics 4, which the collector and the
/// validator share.
///
/// Source: developers.google.com/analytics/devguides/collection/protocol/ga4 (sending events, and
/// reference), and support.google.com/analytics/answer/9267744.
enum GoogleRules {
  /// The limits of a request: the number of its events, and the number of bytes of its body. Google
  /// accepts only bodies of fewer than 130 kB.
  static let request = RequestLimits(events: 25, bytes: 130_000)
  /// The maximum number of an event's parameters, including those that the collector adds.
  static var parameters: Int { 25 }
  static var userProperties: Int { 25 }
  /// The maximum number of an item's parameters besides Google's own parameters.
  static var customItemParameters: Int { 10 }
  static var items: Int { 200 }
  /// The age of the oldest event that Google accepts.
  static let age = Duration.seconds(72 * 3_600)

  static var userIDLength: Int { 256 }
  static var userPropertyLength: Int { 36 }
  static func parameterLength(_ name: String) -> Int {
    switch name {
    case "page_title": 300
    case "page_referrer": 420
    case "page_location": 1_000
    default: 100
    }
  }

  static func eventName(_ stream: GoogleStream) -> NameRule {
    stream == .app ? appEventName : webEventName
  }

  static let parameterName = NameRule(
    "a parameter name", longest: 40, reserved: ["firebase_conversion"],
    prefixes: prefixes + ["gtag."])
  static let userPropertyName = NameRule(
    "a user property name", longest: 24,
    reserved: [
      "first_open_time", "first_visit_time", "last_deep_link_referrer", "user_id",
      "first_open_after_install",
    ], prefixes: prefixes)

  private static let prefixes = ["_", "firebase_", "ga_", "google_"]
  private static let webEventName = NameRule(
    "an event name", longest: 40, reserved: reservedEvents.union(appEvents),
    prefixes: prefixes + ["gtag."])
  private static let appEventName = NameRule(
    "an event name", longest: 40, reserved: reservedEvents, prefixes: prefixes + ["gtag."])

  /// Events that Google reserves in web streams, and accepts in streams of apps.
  private static let appEvents: Set = ["ad_impression", "in_app_purchase", "screen_view"]
  private static let reservedEvents = Set(
    """
    ad_activeview ad_click ad_exposure ad_query ad_reward adunit_exposure app_clear_data \
    app_exception app_install app_remove app_store_refund app_update app_upgrade \
    dynamic_link_app_open dynamic_link_app_update dynamic_link_first_open error firebase_campaign \
    firebase_in_app_message_action firebase_in_app_message_dismiss \
    firebase_in_app_message_impression first_open first_visit notification_dismiss \
    notification_foreground notification_open notification_receive notification_send os_update \
    session_start user_engagement
    """.split(separator: " ").map(String.init))

  /// Google's own parameters of an item.
  static let itemParameters = Set(
    """
    item_id item_name affiliation coupon creative_name creative_slot currency discount index \
    item_brand item_category item_category2 item_category3 item_category4 item_category5 \
    item_list_id item_list_name item_variant location_id price promotion_id promotion_name quantity
    """.split(separator: " ").map(String.init))
  /// Whether the parameter `name` of the event `event` must be a number. For a parameter of an
  /// item, `event` is empty.
  static func isNumber(_ name: String, of event: String) -> Bool {
    numbers.contains(name) || games.contains(event) && ["level", "score"].contains(name)
  }

  private static let numbers: Set = [
    "discount", "engagement_time_msec", "index", "price", "quantity", "shipping", "tax", "value",
  ]
  /// The events of games whose parameters `level` and `score` must be numbers. In other events,
  /// `level` may be a word.
  private static let games: Set = ["level_up", "post_score"]

  /// The parameters without which Google does not count an event as what its name says, by the
  /// event's name. For example, Google counts an event `purchase` as a purchase only if the event
  /// has all the parameters of its entry.
  static let needed: [String: [String]] = [
    "view_item": ["currency", "value", "items"],
    "view_cart": ["currency", "value", "items"],
    "add_to_cart": ["currency", "value", "items"],
    "add_to_wishlist": ["currency", "value", "items"],
    "remove_from_cart": ["currency", "value", "items"],
    "begin_checkout": ["currency", "value", "items"],
    "add_shipping_info": ["currency", "value", "items"],
    "add_payment_info": ["currency", "value", "items"],
    "purchase": ["currency", "value", "items", "transaction_id"],
    "refund": ["currency", "value", "transaction_id"],
    "view_item_list": ["items"], "select_item": ["items"], "view_promotion": ["items"],
    "search": ["search_term"], "post_score": ["score"], "generate_lead": ["currency", "value"],
    "spend_virtual_currency": ["value", "virtual_currency_name"],
    "unlock_achievement": ["achievement_id"],
  ]
  /// Events whose `value` is an amount of a virtual currency.
  static let virtual: Set = ["earn_virtual_currency", "spend_virtual_currency"]
  /// Objects that a request contains once for all its events, and the members that Google knows.
  static let surroundings: [(name: String, members: Set<String>)] = [
    ("user_location", ["city", "region_id", "country_id", "subcontinent_id", "continent_id"]),
    (
      "device",
      [
        "category", "language", "screen_resolution", "operating_system", "operating_system_version",
        "model", "brand", "browser", "browser_version",
      ]
    ),
  ]
  /// Parameters that are never left out, even if an event has too many parameters.
  static let important: Set = [
    "currency", "value", "items", "transaction_id", "session_id", "engagement_time_msec",
  ]
}
