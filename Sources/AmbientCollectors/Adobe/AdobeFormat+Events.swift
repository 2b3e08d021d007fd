// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The part of the format that writes the metrics of an event, and the order: the identity and the
/// currency of the purchase.
extension AdobeFormat {
  /// The text of the variable `events`: the event's metrics, each with its value and key, and the
  /// custom events of its products; nil if there is none. Adobe ignores an event of a product
  /// unless `events` lists it.
  func events(
    _ metrics: [AdobeMetric], _ products: [AdobeProduct], of event: Event, _ id: TrackedEvent.ID,
    _ inspection: inout EventInspection
  ) -> AmbientValue? {
    func property(
      _ name: String, _ needs: String, _ effect: String, isKey: Bool = false
    ) -> AmbientValue? {
      let value = event.properties[name]
      // An empty text or a private value counts as missing: if it were sent as a key, Adobe would
      // count all events with this key as one event.
      let isHidden = isKey && value?.isPrivateMark == true
      if let value, value != "", !isHidden { return value }
      inspection.note(
        .missing, at: "properties.\(name)", needs: needs,
        found: isHidden ? "a private value" : "none", .kept, effect)
      return nil
    }
    let texts = metrics.map { metric in
      var text = metric.name
      if let name = metric.value {
        property(name, "a number", "track the number; without it, Adobe adds 1 to \(metric.name)")
          .flatMap { ValueRules.number($0, at: "properties.\(name)", &inspection) }
          .map { text += "=\($0.text)" }
      }
      switch metric.key {
      case .event: text += ":\(StableDigest(id.uuidString.utf8).digits(AdobeRules.keyLength))"
      case .property(let name):
        let effect = "without it, an event that is sent twice counts twice"
        property(name, "a value", effect, isKey: true)
          .flatMap { ValueRules.single($0, atMost: .max, at: "properties.\(name)", &inspection) }
          .map { text += ":\(Self.key($0.text))" }
      case nil: break
      }
      return text
    }
    var names = Set(metrics.map(\.name))
    let others = products.flatMap(\.events).map(\.name).filter { names.insert($0).inserted }
    let all = texts + others
    return all.isEmpty ? nil : .string(all.joined(separator: ","))
  }

  /// The key by which Adobe counts an event or a purchase only once. It is the text itself or, if
  /// the text is too long or has a character other than a letter or digit of ASCII, digits of the
  /// text's digest.
  static func key(_ text: String) -> String {
    let longest = AdobeRules.keyLength
    let isKey = text.wholeMatch(of: /[0-9A-Za-z]+/) != nil && text.utf8.count <= longest
    return isKey ? text : StableDigest(text.utf8).digits(longest)
  }

  /// Returns XDM's object `commerce`, which contains the metrics and the order.
  func commerce(_ metrics: [AdobeMetric], _ hit: AdobeHit) -> AmbientFields {
    var fields = AmbientFields()
    for name in metrics.compactMap(\.commerce) { fields[name] = .fields(["value": 1]) }
    var order: AmbientFields = [
      "purchaseID": hit.order, "currencyCode": hit.variables["currencyCode"],
    ]
    if let id = hit.variables["transactionID"] {
      order["payments"] = [["transactionID": id] as AmbientFields].ambientValue
    }
    fields["order"] = .fields(order)
    return fields
  }
}
