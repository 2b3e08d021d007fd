// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// Writes events for Adobe Analytics, in the JSON of Adobe's Edge Network.
struct AdobeFormat: EventFormat {
  /// The device id that is sent for an event that has neither a device id nor an anonymous
  /// identity. It is derived from the queue's client id.
  let device: String
  let options: AdobeOptions

  /// The `EventEntry.group` of purchases, which Adobe counts once, however often they arrive.
  static var countedOnce: String { "once" }
  /// The number of bytes of a request without its events.
  static var overhead: Int { AdobeRules.requestStart.utf8.count + AdobeRules.requestEnd.utf8.count }

  init(client: String, options: AdobeOptions) {
    device = AdobeIdentity.device(ofClient: client)
    self.options = options
  }

  func write(
    _ tracked: TrackedEvent, now: Date, _ inspection: inout EventInspection
  ) -> EventEntry? {
    let event = options.mapping.first(tracked.event)
    let identities = identities(of: event, tracked, &inspection)
    let date = moment(of: tracked.date, now: now, &inspection)
    guard let identities, inspection.isNamed(event.name, at: "event") else { return nil }

    let metrics = options.mapping.metrics[event.name] ?? []
    let isSale = metrics.contains(where: \.isPurchase)
    var hit = AdobeHit()
    assign(event, tracked.user, isSale: isSale, to: &hit, &inspection)
    let products = products(of: event, metrics, isSale: isSale, &inspection)
    hit.variables["events"] = events(metrics, products, of: event, tracked.id, &inspection)
    if !products.isEmpty {
      hit.variables["products"] = .string(products.map(\.text).joined(separator: ","))
    }
    setType(of: event, &hit, &inspection)
    if isSale { noteMissing(in: hit, &inspection) }

    var xdm: AmbientFields = [
      "_id": tracked.id.uuidString.lowercased(),
      "eventType": metrics.compactMap(\.commerce).first.map { "commerce.\($0)" }
        ?? type(named: event.name, &inspection),
      "timestamp": date.iso8601(), "identityMap": identities,
    ]
    xdm["commerce"] = .fields(commerce(metrics, hit))
    if !products.isEmpty { xdm["productListItems"] = products.map(\.xdm).ambientValue }

    var bytes = Array(#"{"xdm":"#.utf8)
    bytes.append(json: .fields(xdm))
    bytes += #","data":{"__adobe":{"analytics":"#.utf8
    bytes.append(json: .fields(hit.fields))
    bytes += "}}}".utf8
    guard
      inspection.isSmallEnough(Self.overhead + bytes.count, below: AdobeRules.request.bytes)
    else { return nil }
    let isCountedOnce =
      options.unknownOutcome == .dropped && isSale && hit.variables["purchaseID"] != nil
    return EventEntry(bytes, group: isCountedOnce ? Self.countedOnce : "")
  }

  private func moment(
    of date: Date, now: Date, _ inspection: inout EventInspection
  ) -> Date {
    let age = now.timeIntervalSince(date)
    if age > AdobeRules.age / .seconds(1) {
      inspection.note(
        .tooOld, at: "time", needs: "an event at most 92 days old",
        found: "\(Int(age / 86_400)) days", .kept,
        "deliver sooner, because Adobe no longer adds the event to its visit")
    }
    return inspection.settleTime(of: date, now: now)
  }

  /// The type of an event without a shop metric: the event's name, prefixed by `x_` if Adobe itself
  /// uses the name as a type, and would count the event as something else.
  private func type(named name: String, _ inspection: inout EventInspection) -> String {
    guard AdobeRules.isReservedType(name) else { return name }
    inspection.note(
      .nameReserved, at: "event", needs: "a name that is not one of Adobe's event types",
      found: EventProblem.shown(name, quoted: true),
      .changed(to: EventProblem.shown("x_\(name)")),
      "choose another name")
    return "x_\(name)"
  }

  /// Sets the variables of a link, unless the event is only a page view. Adobe drops an event that
  /// is neither a page view nor a link.
  private func setType(
    of event: Event, _ hit: inout AdobeHit, _ inspection: inout EventInspection
  ) {
    let isLink = ["linkType", "linkName", "linkURL"].contains { hit.variables[$0] != nil }
    let isPage = hit.variables["pageName"] != nil || hit.variables["pageURL"] != nil
    guard isLink || !isPage else { return }
    if isPage {
      let page = source(of: hit.variables["pageName"] == nil ? .pageURL : .pageName)
      inspection.note(
        .pageOfLink, at: page, needs: "a page or a link", found: "both", .kept,
        "map the page to another variable, because Adobe ignores the page of a link")
    }
    if hit.variables["linkType"] == nil { hit.variables["linkType"] = "o" }
    guard hit.variables["linkName"] == nil else { return }
    hit.variables["linkName"] = ValueRules.single(
      .string(event.name), atMost: AdobeVariable.linkName.longest, .bytes, at: "event", &inspection)
  }

  private func noteMissing(in hit: AdobeHit, _ inspection: inout EventInspection) {
    let list = options.mapping.products?.list ?? "products"
    for (variable, source, effect) in [
      ("products", "properties.\(list)", "a purchase without products has no revenue"),
      (
        "purchaseID", source(of: .purchaseID),
        "a purchase without one counts twice if it is sent twice"
      ),
    ] where hit.variables[variable] == nil {
      inspection.note(
        .missing, at: source, needs: "a value for \(variable)", found: "none", .kept, effect)
    }
  }

  /// The path that an `EventProblem` states for a variable: the path of the property that the
  /// mapping puts into the variable. If the mapping has no such property, the path ends in the
  /// variable's name.
  private func source(of variable: AdobeVariable) -> String {
    let sources = options.mapping.variables.filter { $0.value.contains(variable) }
    return "properties.\(sources.keys.min() ?? variable.name)"
  }
}

/// The variables and context data of one event, for the event's `data` object. `AdobeFormat` and
/// its extensions read the event, and set the properties of this value.
struct AdobeHit {
  var variables = AmbientFields()
  private var context: [AmbientFields.Field] = []
  /// The names of the fields in `context`. They are in lower case, since Adobe ignores the case of
  /// such names.
  private var contextNames: Set<String> = []
  /// The names, in lower case, of all properties that become context data. If a name has to change
  /// to obey Adobe's rules, the new name must differ from all of these.
  var trackedNames: Set<String> = []
  /// The order's identity as it was tracked, of any length. The variable `purchaseID` may contain a
  /// digest of it instead.
  var order: AmbientValue?

  var fields: AmbientFields { variables.merging(["contextData": AmbientFields(list: context)]) }

  /// Whether the context data already has a field with that name. A name that was changed from
  /// `source` is also taken if `trackedNames` contains it.
  func isTaken(_ name: String, of source: String) -> Bool {
    let key = name.lowercased()
    return contextNames.contains(key) || name != source && trackedNames.contains(key)
  }

  mutating func addContext(_ name: String, _ text: String) {
    contextNames.insert(name.lowercased())
    context.append(AmbientFields.Field(name: name, value: .string(text)))
  }
}
