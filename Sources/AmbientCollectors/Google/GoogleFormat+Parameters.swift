// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The parameters of an event and of its items (`params`).
extension GoogleFormat {
  func parameters(
    of event: Event, _ eventName: String, session: AmbientValue?,
    _ inspection: inout EventInspection
  ) -> AmbientFields {
    var fields: [(name: String, value: AmbientValue)] = []
    // A property whose name is changed must not get the name of another property.
    let tracked = Set(event.properties.map(\.name))
    var names: Set<String> = []
    for field in event.properties
    where !isTakenOut(field.name) && !Self.isSurrounding(field.name, field.value) {
      let path = "properties.\(field.name)"
      guard
        let name = GoogleRules.parameterName.settle(field.name, at: path, &inspection),
        inspection.isFree(
          name,
          unless: isTakenOut(name) || names.contains(name)
            || name != field.name && tracked.contains(name), at: path),
        let value = name == "items"
          ? items(field.value, at: path, &inspection)
          : value(field.value, of: name, eventName, at: path, &inspection)
      else { continue }
      names.insert(name)
      fields.append((name, value))
    }
    if let session { fields.append(("session_id", session)) }
    if !names.contains("engagement_time_msec"), let engagement = options.engagement {
      let milliseconds = Int64(min(max(0, engagement / .milliseconds(1)), 1e12))
      fields.append(("engagement_time_msec", .integer(milliseconds)))
    }
    leaveOut(beyond: GoogleRules.parameters, of: &fields, &inspection)
    var result = AmbientFields()
    for (name, value) in fields { result[name] = value }
    return result
  }

  /// Whether the property is the id of the client or of the session. These ids are not copied with
  /// the other properties, because they are added to the request separately.
  private func isTakenOut(_ name: String) -> Bool {
    name == GoogleIdentity.clientName(stream) || name == "session_id"
  }

  private func value(
    _ value: AmbientValue, of name: String, _ event: String = "", at path: String,
    _ inspection: inout EventInspection
  ) -> AmbientValue? {
    let longest = GoogleRules.parameterLength(name)
    guard let value = ValueRules.single(value, atMost: longest, at: path, &inspection) else {
      return nil
    }
    if name == "transaction_id", value == "" || value.isPrivateMark {
      // If the event needs an id, `noteMissing` notes that the id is missing.
      if GoogleRules.needed[event]?.contains(name) != true {
        inspection.note(
          .valueMalformed, at: path, needs: "an id",
          found: value == "" ? "an empty text" : "a private value", .leftOut,
          "Google would count all events with this id as one")
      }
      return nil
    }
    if name == "currency" { return CurrencyCode.settle(value, at: path, &inspection) }
    guard GoogleRules.isNumber(name, of: event) else { return value }
    return ValueRules.number(value, at: path, &inspection)
  }

  /// Leaves out parameters beyond the limit, starting with the last; parameters that are important
  /// to Google stay.
  private func leaveOut(
    beyond limit: Int, of fields: inout [(name: String, value: AmbientValue)],
    _ inspection: inout EventInspection
  ) {
    let count = fields.count
    guard count > limit else { return }
    let spare = fields.map(\.name).filter { !GoogleRules.important.contains($0) }
      .suffix(count - limit)
    let left = Set(spare)
    fields.removeAll { left.contains($0.name) }
    for name in spare {
      inspection.note(
        .tooMany, at: "properties.\(name)",
        needs: "at most \(limit) parameters, including session_id and engagement_time_msec",
        found: "\(count)", .leftOut, "track fewer properties")
    }
  }

  // MARK: - Items

  private func items(
    _ value: AmbientValue, at path: String, _ inspection: inout EventInspection
  ) -> AmbientValue? {
    guard let values = ValueRules.list(value, at: path, &inspection) else { return nil }
    if values.count > GoogleRules.items {
      inspection.note(
        .tooMany, at: path, needs: "at most \(GoogleRules.items) items", found: "\(values.count)",
        .changed(to: "the first \(GoogleRules.items)"), "track fewer items")
    }
    let items = values.prefix(GoogleRules.items).enumerated().compactMap { place, value in
      item(value, at: "\(path)[\(place)]", &inspection)
    }
    return .array(items)
  }

  private func item(
    _ value: AmbientValue, at path: String, _ inspection: inout EventInspection
  ) -> AmbientValue? {
    guard let properties = ValueRules.object(value, at: path, &inspection) else { return nil }
    var fields = AmbientFields()
    var customs = 0
    for field in properties {
      let path = "\(path).\(field.name)"
      guard
        let name = GoogleRules.parameterName.settle(field.name, at: path, &inspection),
        inspection.isFree(name, unless: fields[name] != nil, at: path),
        let value = self.value(field.value, of: name, at: path, &inspection)
      else { continue }
      if !GoogleRules.itemParameters.contains(name) {
        customs += 1
        guard customs <= GoogleRules.customItemParameters else {
          inspection.note(
            .tooMany, at: path,
            needs: "at most \(GoogleRules.customItemParameters) custom parameters per item",
            found: "one more", .leftOut, "track fewer")
          continue
        }
      }
      fields[name] = value
    }
    if fields["item_id"] == nil, fields["item_name"] == nil {
      inspection.note(
        .missing, at: path, needs: "item_id or item_name", found: "none", .kept,
        "Google does not count an item without either")
    }
    return .fields(fields)
  }
}
