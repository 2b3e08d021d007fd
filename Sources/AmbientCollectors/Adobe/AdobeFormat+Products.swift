internal import Ambient
internal import Foundation

extension AdobeFormat {
  /// The products of an event that counts one of the shop's metrics: on others Adobe would count
  /// that somebody looked at them.
  func products(
    of event: Event, _ metrics: [AdobeMetric], isSale: Bool, _ inspection: inout EventInspection
  ) -> [AdobeProduct] {
    guard let mapping = options.mapping.products, metrics.contains(where: { $0.commerce != nil }),
      let value = event.properties[mapping.list]
    else { return [] }
    let path = "properties.\(mapping.list)"
    guard case .array(let values) = value else {
      inspection.note(
        .nested, at: path, needs: "a list of objects", found: EventProblem.shown(of: value),
        .leftOut, "track a list of items")
      return []
    }
    var products = values.enumerated().compactMap { place, value in
      product(value, mapping, at: "\(path)[\(place)]", &inspection)
    }
    if isSale, let total = mapping.total.flatMap({ event.properties[$0]?.amount }) {
      Self.spread(total, over: &products)
    }
    return products
  }

  private func product(
    _ value: AmbientValue, _ mapping: AdobeProducts, at path: String,
    _ inspection: inout EventInspection
  ) -> AdobeProduct? {
    guard case .fields(let fields) = value else {
      inspection.note(
        .nested, at: path, needs: "an object", found: EventProblem.shown(of: value), .leftOut,
        "track each item as an object")
      return nil
    }
    func whole(_ member: String, _ longest: Int) -> String? {
      let path = "\(path).\(member)"
      return fields[member]
        .flatMap { ValueRules.single($0, atMost: longest, .bytes, at: path, &inspection) }?.text
    }
    func text(_ member: String, _ longest: Int) -> String? {
      whole(member, longest).map {
        Self.without(
          AdobeRules.productSeparators, $0, at: "\(path).\(member)", &inspection)
      }
    }
    func number(_ member: String) -> AmbientValue? {
      fields[member].flatMap { ValueRules.number($0, at: "\(path).\(member)", &inspection) }
    }
    let length = AdobeRules.productLength
    let id = text(mapping.id, length)
    guard let key = id ?? text(mapping.name, length) else {
      inspection.note(
        .missing, at: path, needs: "\(mapping.id) or \(mapping.name)", found: "neither", .leftOut,
        "give the product a key")
      return nil
    }
    // What XDM has beside the key may be of any length.
    let name = id == nil ? key : whole(mapping.name, .max)
    var product = AdobeProduct(product: key, id: id, name: name)
    product.category = text(mapping.category, length)
    product.quantity = number(mapping.quantity)
    product.total = number(mapping.price)?.amount
      .map { ($0 * (product.quantity?.amount ?? 1)).withoutNoise }
    for (member, event) in mapping.events.sorted(by: { $0.value < $1.value }) {
      number(member).map { product.events.append("event\(event)=\($0.text)") }
    }
    for (member, eVar) in mapping.eVars.sorted(by: { $0.value < $1.value }) {
      text(member, AdobeRules.eVarLength).map { product.eVars.append("eVar\(eVar)=\($0)") }
    }
    return product
  }

  /// Makes the prices add up to the total, each in proportion, in cents, or in as many places
  /// as they have; what is left over goes to the dearest.
  private static func spread(_ total: Double, over products: inout [AdobeProduct]) {
    let prices = products.map { $0.total ?? 0 }
    let sum = prices.reduce(0, +)
    guard sum > 0, total >= 0, sum.withoutNoise != total.withoutNoise,
      let dearest = prices.indices.max(by: { prices[$0] < prices[$1] })
    else { return }
    let scale = [100.0, 1_000].first { scale in
      (prices + [total]).allSatisfy { ($0 * scale).rounded() / scale == $0.withoutNoise }
    }
    let part = scale ?? 10_000
    var left = total
    for index in products.indices where products[index].total != nil {
      let price = (prices[index] * total / sum * part).rounded() / part
      products[index].total = price
      left -= price
    }
    products[dearest].total = ((products[dearest].total ?? 0) + left).withoutNoise
  }
}
