// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

extension AdobeFormat {
  /// The products of an event that counts a metric of shops, such as a purchase. Other events are
  /// sent without products, because Adobe would count each as a view
  /// of its products.
  func products(
    of event: Event, _ metrics: [AdobeMetric], isSale: Bool, _ inspection: inout EventInspection
  ) -> [AdobeProduct] {
    guard let mapping = options.mapping.products, metrics.contains(where: { $0.commerce != nil }),
      let value = event.properties[mapping.list]
    else { return [] }
    let path = "properties.\(mapping.list)"
    guard let values = ValueRules.list(value, at: path, &inspection) else { return [] }
    var products = values.enumerated().compactMap { place, value in
      product(value, mapping, at: "\(path)[\(place)]", &inspection)
    }
    guard isSale, let name = mapping.total, let value = event.properties[name] else {
      return products
    }
    if value.amount == nil {
      inspection.note(
        .notNumber, at: "properties.\(name)", needs: "a number",
        found: EventProblem.shown(of: value), .changed(to: "the sum of the products' prices"),
        "track a number")
    } else if let total = ValueRules.number(value, at: "properties.\(name)", &inspection)?.amount {
      Self.spread(total, over: &products)
    }
    return products
  }

  private func product(
    _ value: AmbientValue, _ mapping: AdobeProducts, at path: String,
    _ inspection: inout EventInspection
  ) -> AdobeProduct? {
    guard let fields = ValueRules.object(value, at: path, &inspection) else { return nil }
    func whole(_ member: String, _ longest: Int) -> String? {
      let path = "\(path).\(member)"
      return fields[member]
        .flatMap { ValueRules.single($0, atMost: longest, .bytes, at: path, &inspection) }?.text
        .unlessEmpty
    }
    func text(_ member: String, _ longest: Int) -> String? {
      whole(member, longest).flatMap {
        Self.without(AdobeRules.productSeparators, $0, at: "\(path).\(member)", &inspection)
          .unlessEmpty
      }
    }
    func number(_ member: String) -> AmbientValue? {
      fields[member].flatMap { ValueRules.number($0, at: "\(path).\(member)", &inspection) }
    }
    let length = AdobeRules.productLength
    // All private values have the same mark, so they would be one product.
    let isHidden = fields[mapping.id]?.isPrivateMark == true
    let id = isHidden ? nil : text(mapping.id, length)
    guard let key = id ?? text(mapping.name, length) else {
      inspection.note(
        .missing, at: path, needs: "\(mapping.id) or \(mapping.name)", found: "neither", .leftOut,
        "give the product a key")
      return nil
    }
    // Only the key has a maximum length; the product's name in XDM has none.
    let name = id == nil ? key : whole(mapping.name, .max)
    var product = AdobeProduct(product: key, id: id, name: name)
    product.category = text(mapping.category, length)
    product.quantity = number(mapping.quantity)
    if let price = number(mapping.price)?.amount {
      let total = price * (product.quantity?.amount ?? 1)
      if total.isFinite {
        product.total = total.withoutNoise
      } else {
        inspection.note(
          .notNumber, at: "\(path).\(mapping.price)",
          needs: "a finite result of price times quantity", found: "\(total)", .leftOut,
          "check where price and quantity come from")
      }
    }
    for (member, event) in mapping.events.sorted(by: { $0.value < $1.value }) {
      number(member).map { product.events.append(("event\(event)", $0.text)) }
    }
    for (member, eVar) in mapping.eVars.sorted(by: { $0.value < $1.value }) {
      text(member, AdobeRules.eVarLength).map { product.eVars.append("eVar\(eVar)=\($0)") }
    }
    return product
  }

  /// Scales the prices so that their sum is the total. The scaled prices are whole cents, or whole
  /// tenths or hundredths of a cent if the prices or the total have more decimals. The largest
  /// remainder method keeps each price within one of these units of its exact share.
  private static func spread(_ total: Double, over products: inout [AdobeProduct]) {
    let prices = products.map { $0.total ?? 0 }
    let sum = prices.reduce(0, +)
    guard sum > 0, sum.isFinite, total >= 0, (total * 10_000).isFinite,
      sum.withoutNoise != total.withoutNoise
    else { return }
    let scale = [100.0, 1_000].first { scale in
      (prices + [total]).allSatisfy { ($0 * scale).rounded() / scale == $0.withoutNoise }
    }
    let part = scale ?? 10_000
    let exact = prices.map { $0 / sum * total * part }
    var whole = exact.map { $0.rounded(.down) }
    let left = (total * part).rounded() - whole.reduce(0, +)
    let byRemainder = exact.indices.sorted {
      (exact[$1] - whole[$1], prices[$1], $0) < (exact[$0] - whole[$0], prices[$0], $1)
    }
    for index in byRemainder.prefix(Int(min(max(0, left), Double(exact.count)))) {
      whole[index] += 1
    }
    for index in products.indices where products[index].total != nil {
      products[index].total = whole[index] / part
    }
  }
}
