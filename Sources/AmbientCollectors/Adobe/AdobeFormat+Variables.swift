// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// Assigns an event's properties and user to Adobe's variables and context data.
extension AdobeFormat {
  func assign(
    _ event: Event, _ user: AnalyticsUser?, isSale: Bool, to hit: inout AdobeHit,
    _ inspection: inout EventInspection
  ) {
    let mapping = options.mapping
    /// Sets the variables to which the mapping assigns `source`, or else the context data.
    ///
    /// - Parameter isElsewhere: Whether the value is that of a property for identities, of the
    ///   user's id while it is sent as an identity, or of the list of products. Such a value does
    ///   not become context data, even if `client_id` is left out beside an `ecid` or `fpid`.
    func place(_ source: String, _ value: AmbientValue, at path: String, isElsewhere: Bool) {
      // Only a sale gets the purchase's id: if an earlier event had the id, Adobe would drop the
      // purchase as a repetition.
      var targets = (mapping.variables[source] ?? []).filter { $0 != .purchaseID || isSale }
      if targets.isEmpty, !isElsewhere { targets = [.contextData(source)] }
      for target in targets { set(target, value, at: path, &hit, &inspection) }
    }
    let identities = AdobeIdentity.properties
    func isElsewhere(_ name: String) -> Bool {
      identities.contains(name) || name == mapping.products?.list
    }
    hit.trackedNames = Set(
      event.properties.lazy.map(\.name)
        .filter { mapping.variables[$0] == nil && !isElsewhere($0) }.map { $0.lowercased() })
    let users = Self.names(of: user)
    for field in event.properties {
      let path = "properties.\(field.name)"
      // A property that has the same name as the user's id or as one of the user's traits is left
      // out.
      guard
        inspection.isFree(field.name, unless: users.contains(field.name.lowercased()), at: path)
      else { continue }
      place(field.name, field.value, at: path, isElsewhere: isElsewhere(field.name))
    }
    guard let user else { return }
    if !user.id.isEmpty {
      place(
        "user.id", .string(user.id), at: "user.id", isElsewhere: options.userNamespace != nil)
    } else if options.userNamespace == nil {
      _ = inspection.settleUser(user.id, atMost: .max)
    }
    for trait in user.traits {
      place(
        "user.\(trait.name)", trait.value, at: "user.traits.\(trait.name)",
        isElsewhere: identities.contains(trait.name))
    }
  }

  /// The names, in lower case, by which the mapping finds the user's id and traits.
  private static func names(of user: AnalyticsUser?) -> Set<String> {
    guard let user else { return [] }
    let id = user.id.isEmpty ? [] : ["user.id"]
    return Set(id + user.traits.map { "user.\($0.name)".lowercased() })
  }

  private func set(
    _ variable: AdobeVariable, _ value: AmbientValue, at path: String, _ hit: inout AdobeHit,
    _ inspection: inout EventInspection
  ) {
    if case .contextData(let source) = variable {
      guard let name = AdobeRules.contextName.settle(source, at: path, &inspection),
        inspection.isFree(name, unless: hit.isTaken(name, of: source), at: path),
        let value = ValueRules.single(value, atMost: .max, at: path, &inspection)
      else { return }
      hit.addContext(name, value.text)
      return
    }
    let name = variable.name
    guard inspection.isFree(name, unless: hit.variables[name] != nil, at: path),
      let text = settled(value, for: variable, at: path, &inspection)?.unlessEmpty
    else { return }
    hit.variables[name] = .string(text)
    if variable == .purchaseID { hit.order = .string(value.text) }
  }

  private func settled(
    _ value: AmbientValue, for variable: AdobeVariable, at path: String,
    _ inspection: inout EventInspection
  ) -> String? {
    if case .list(_, let delimiter) = variable {
      return list(value, String(delimiter), at: path, &inspection)
    }
    guard
      let single = ValueRules.single(
        value, atMost: variable.longest, .bytes, at: path, &inspection)
    else { return nil }
    switch variable {
    case .currencyCode: return CurrencyCode.settle(single, at: path, &inspection)?.text
    case .linkType:
      if let type = AdobeRules.linkTypes[single.text.lowercased()] { return type }
      inspection.note(
        .linkTypeUnknown, at: path, needs: "other, download or exit (o, d, e)",
        found: EventProblem.shown(of: single), .changed(to: "o"), "correct the type")
      return "o"
    case .purchaseID: return single.isPrivateMark ? nil : single.text.unlessEmpty.map(Self.key)
    case .transactionID:
      guard !single.isPrivateMark else {
        inspection.note(
          .valueMalformed, at: path, needs: "an id", found: "a private value", .leftOut,
          "Adobe would connect the same data to all events with this id")
        return nil
      }
      let text = Self.without(",", single.text, at: path, &inspection)
      let longest = AdobeRules.transactionLength
      guard text.utf8.count > longest else { return text }
      // The identity is left out, because a shortened identity could name another transaction.
      inspection.note(
        .textTooLong, at: path, needs: "at most \(longest) bytes", found: "\(text.utf8.count)",
        .leftOut, "use shorter order ids")
      return nil
    default: return single.text
    }
  }

  private func list(
    _ value: AmbientValue, _ delimiter: String, at path: String,
    _ inspection: inout EventInspection
  ) -> String? {
    guard case .array(let values) = value else {
      return item(value, delimiter, at: path, &inspection)
    }
    let most = AdobeRules.listValues
    if values.count > most {
      inspection.note(
        .tooMany, at: path, needs: "at most \(most) values", found: "\(values.count)",
        .changed(to: "the first \(most)"), "track fewer")
    }
    let texts = values.prefix(most).enumerated().compactMap { place, value in
      item(value, delimiter, at: "\(path)[\(place)]", &inspection)
    }
    return texts.isEmpty ? nil : texts.joined(separator: delimiter)
  }

  private func item(
    _ value: AmbientValue, _ delimiter: String, at path: String,
    _ inspection: inout EventInspection
  ) -> String? {
    ValueRules.single(value, atMost: AdobeRules.eVarLength, .bytes, at: path, &inspection)
      .flatMap { Self.without(delimiter, $0.text, at: path, &inspection).unlessEmpty }
  }

  /// Returns the text with spaces in place of `separators`, which a value in the variable cannot
  /// contain.
  static func without(
    _ separators: String, _ text: String, at path: String, _ inspection: inout EventInspection
  ) -> String {
    guard text.contains(where: separators.contains) else { return text }
    let settled = text.split(whereSeparator: separators.contains)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .joined(separator: " ")
    inspection.note(
      .separator, at: path, needs: "a text without \(separators)",
      found: EventProblem.shown(text, quoted: true),
      .changed(to: EventProblem.shown(settled, quoted: true)),
      "remove these characters, which separate values")
    return settled
  }
}

extension String {
  /// The text; nil if it is empty, because Adobe treats an empty variable as absent.
  var unlessEmpty: String? { isEmpty ? nil : self }
}

extension AmbientValue {
  /// The text of a value in a variable: a string as it is, a date as ISO 8601, others as JSON.
  var text: String {
    switch self {
    case .string(let text): text
    case .date(let date): date.iso8601()
    default: json
    }
  }
}
