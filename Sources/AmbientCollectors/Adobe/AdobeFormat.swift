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
    let identities = identities(of: event, tracked, &inspection)
    let date = moment(of: tracked.date, now: now, &inspection)
    guard let identities, inspection.isNamed(event.name, at: "event") else { return nil }

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
    return Entry(bytes, group: isCountedOnce ? Self.countedOnce : "")
  }

  private func moment(
    of date: Date, now: Date, _ inspection: inout EventInspection
  ) -> Date {
    let age = now.timeIntervalSince(date)
    if age > AdobeRules.age / .seconds(1) {
      inspection.note(
        .tooOld, at: "time", needs: "an event at most 92 days old",
        found: "\(Int(age / 86_400)) days", .kept, "deliver sooner: its visit has ended")
    }
    return inspection.settleTime(of: date, now: now)
  }

  /// The type of an event that counts no metric of the shop: its name, unless Adobe would take it
  /// for something else.
  private func type(named name: String, _ inspection: inout EventInspection) -> String {
    guard AdobeRules.isReservedType(name) else { return name }
    inspection.note(
      .nameReserved, at: "event", needs: "a name that is no type of event of Adobe's own",
      found: EventProblem.shown(name, quoted: true),
      .changed(to: EventProblem.shown("x_\(name)")),
      "choose another name")
    return "x_\(name)"
  }

  /// A page view has a page; all else is a link: Adobe drops what is neither.
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
        "Adobe drops the page of a link: map it to another variable, too")
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
        "a purchase without one counts again if it comes twice"
      ),
    ] where hit.variables[variable] == nil {
      inspection.note(
        .missing, at: source, needs: "a value for \(variable)", found: "none", .kept, effect)
    }
  }

  /// The property that the mapping puts into a variable.
  private func source(of variable: AdobeVariable) -> String {
    let sources = options.mapping.variables.filter { $0.value.contains(variable) }
    return "properties.\(sources.keys.min() ?? variable.name)"
  }
}

/// What is gathered of one event for the `data` object.
struct AdobeHit {
  var variables = AmbientFields()
  private var context: [AmbientFields.Field] = []
  /// Names of context data, which are the same in small letters.
  private var contextNames: Set<String> = []
  /// Names, in small letters, that properties have which become context data: what is made to fit
  /// yields to them.
  var trackedNames: Set<String> = []
  /// The identity of the order, however long it is.
  var order: AmbientValue?

  var fields: AmbientFields { variables.merging(["contextData": AmbientFields(list: context)]) }

  /// Whether a name of context data is another's: of one before it, or of a property that has it as
  /// it is where this one is made to fit.
  func isTaken(_ name: String, of source: String) -> Bool {
    let key = name.lowercased()
    return contextNames.contains(key) || name != source && trackedNames.contains(key)
  }

  mutating func addContext(_ name: String, _ text: String) {
    contextNames.insert(name.lowercased())
    context.append(AmbientFields.Field(name: name, value: .string(text)))
  }
}
