internal import Ambient
internal import Foundation

/// Events as the Edge Network has them, for Adobe Analytics.
struct AdobeFormat: EventFormat {
  /// Whose an event is that does not say it.
  let device: String
  let options: AdobeOptions

  /// The group of what Adobe counts once, however often it comes.
  static var countedOnce: String { "once" }
  /// How many bytes a request has beside its events.
  static var overhead: Int { AdobeRules.requestStart.utf8.count + AdobeRules.requestEnd.utf8.count }

  init(client: String, options: AdobeOptions) {
    device = AdobeIdentity.device(ofClient: client)
    self.options = options
  }

  func write(
    _ tracked: TrackedEvent, now: Date, _ inspection: inout EventInspection
  ) -> Entry? {
    let event = options.mapping.first(tracked.event)
    let identities = identities(of: event, tracked.user, &inspection)
    let date = moment(of: tracked.date, now: now, &inspection)
    if event.name.isEmpty {
      inspection.note(
        .nameMalformed, at: "event", needs: "a name", found: "none", .refused, "give it a name")
    }
    guard let identities, !event.name.isEmpty else { return nil }

    let metrics = options.mapping.metrics[event.name] ?? []
    let isSale = metrics.contains(where: \.isPurchase)
    var hit = AdobeHit()
    assign(event, tracked.user, isSale: isSale, to: &hit, &inspection)
    let products = products(of: event, metrics, isSale: isSale, &inspection)
    hit.variables["events"] = events(metrics, of: event, tracked.id, &inspection)
    if !products.isEmpty {
      hit.variables["products"] = .string(products.map(\.text).joined(separator: ","))
    }
    setType(of: event, &hit, &inspection)
    if isSale { noteMissing(in: hit, &inspection) }

    var xdm: AmbientFields = [
      "_id": tracked.id.uuidString.lowercased(),
      "eventType": metrics.compactMap(\.commerce).first.map { "commerce.\($0)" } ?? event.name,
      "timestamp": date.iso8601(), "identityMap": identities,
    ]
    xdm["commerce"] = .fields(commerce(metrics, hit))
    if !products.isEmpty { xdm["productListItems"] = products.map(\.xdm).ambientValue }

    var bytes = Array(#"{"xdm":"#.utf8)
    AmbientValue.fields(xdm).append(to: &bytes)
    bytes += #","data":{"__adobe":{"analytics":"#.utf8
    AmbientValue.fields(hit.fields).append(to: &bytes)
    bytes += "}}}".utf8
    guard
      inspection.isSmallEnough(Self.overhead + bytes.count, below: AdobeRules.request.bytes)
    else { return nil }
    let isCountedOnce =
      options.unknownOutcome == .dropped && isSale && hit.variables["purchaseID"] != nil
    return Entry(bytes, group: isCountedOnce ? Self.countedOnce : "")
  }

  private func moment(
    of date: Date, now: Date, _ inspection: inout EventInspection
  ) -> Date {
    let days = Int(now.timeIntervalSince(date) / 86_400)
    if now.timeIntervalSince(date) > AdobeRules.age / .seconds(1) {
      inspection.note(
        .tooOld, at: "time", needs: "an event at most 92 days old", found: "\(days) days", .kept,
        "deliver sooner: its visit has ended")
    }
    return inspection.settleTime(of: date, now: now)
  }

  /// A page view has a page; all else is a link: Adobe drops what is neither.
  private func setType(
    of event: Event, _ hit: inout AdobeHit, _ inspection: inout EventInspection
  ) {
    let isLink = ["linkType", "linkName", "linkURL"].contains { hit.variables[$0] != nil }
    let isPage = hit.variables["pageName"] != nil || hit.variables["pageURL"] != nil
    guard isLink || !isPage else { return }
    if hit.variables["linkType"] == nil { hit.variables["linkType"] = "o" }
    guard hit.variables["linkName"] == nil else { return }
    hit.variables["linkName"] = ValueRules.single(
      .string(event.name), atMost: AdobeVariable.linkName.longest, .bytes, at: "event", &inspection)
  }

  private func noteMissing(in hit: AdobeHit, _ inspection: inout EventInspection) {
    let mapping = options.mapping
    let order = mapping.variables.filter { $0.value.contains(.purchaseID) }.keys.min()
    for (variable, source, effect) in [
      ("products", mapping.products?.list, "a purchase without products has no revenue"),
      ("purchaseID", order, "a purchase without one counts again if it comes twice"),
    ] where hit.variables[variable] == nil {
      inspection.note(
        .missing, at: "properties.\(source ?? variable)", needs: "a value for \(variable)",
        found: "none", .kept, effect)
    }
  }
}

/// What is gathered of one event for the `data` object.
struct AdobeHit {
  var variables = AmbientFields()
  var context = AmbientFields()
  /// The identity of the order, however long it is.
  var order: AmbientValue?

  var fields: AmbientFields { variables.merging(["contextData": context]) }

  /// Names of context data are the same in small letters.
  func hasContext(_ name: String) -> Bool {
    context.contains { $0.name.lowercased() == name.lowercased() }
  }
}
