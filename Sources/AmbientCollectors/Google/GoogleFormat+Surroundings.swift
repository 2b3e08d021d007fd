// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The location and the device of a user. They must be sent, because Google detects them only where
/// its own code runs, not from requests of a server.
extension GoogleFormat {
  /// Whether the property or trait is a location or device object, which is sent at the beginning
  /// of the request.
  static func isSurrounding(_ name: String, _ value: AmbientValue) -> Bool {
    guard case .fields = value else { return false }
    return GoogleRules.surroundings.contains { $0.name == name }
  }

  /// The location and device objects of the event's properties, or else of its user's traits.
  func surroundings(
    of event: Event, _ user: AnalyticsUser?, _ inspection: inout EventInspection
  ) -> AmbientFields {
    var result = AmbientFields()
    for (name, members) in GoogleRules.surroundings {
      let places = [
        (event.properties, "properties.\(name)"), (user?.traits ?? [:], "user.traits.\(name)"),
      ]
      for (fields, path) in places {
        guard case .fields(let object)? = fields[name] else { continue }
        result[name] = .fields(settle(object, members, at: path, &inspection))
        break
      }
    }
    return result
  }

  private func settle(
    _ object: AmbientFields, _ members: Set<String>, at path: String,
    _ inspection: inout EventInspection
  ) -> AmbientFields {
    var result = AmbientFields()
    for field in object {
      let path = "\(path).\(field.name)"
      guard members.contains(field.name) else {
        inspection.note(
          .nameUnknown, at: path, needs: "one of \(members.sorted().joined(separator: ", "))",
          found: EventProblem.shown(field.name, quoted: true), .leftOut,
          "track it as a separate property")
        continue
      }
      guard let text = Self.text(field.value), Self.isFitting(text, for: field.name) else {
        inspection.note(
          .valueMalformed, at: path, needs: Self.demand(field.name),
          found: EventProblem.shown(of: field.value), .leftOut, "track a value that Google knows")
        continue
      }
      result[field.name] = .string(text)
    }
    return result
  }

  private static func text(_ value: AmbientValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer, .unsigned, .double: "\(value)"
    default: nil
    }
  }

  private static func isFitting(_ text: String, for member: String) -> Bool {
    switch member {
    case "country_id": text.wholeMatch(of: /[A-Z]{2}/) != nil
    case "region_id": text.wholeMatch(of: /[A-Z]{2}-[A-Z0-9]{1,3}/) != nil
    case "continent_id", "subcontinent_id": text.wholeMatch(of: /[0-9]{3}/) != nil
    case "screen_resolution": text.wholeMatch(of: /[0-9]+x[0-9]+/) != nil
    default: !text.isEmpty
    }
  }

  private static func demand(_ member: String) -> String {
    switch member {
    case "country_id": "an ISO 3166-1 code, such as DE"
    case "region_id": "an ISO 3166-2 code, such as US-CA"
    case "continent_id", "subcontinent_id": "a UN M49 code of three digits, such as 150"
    case "screen_resolution": "width and height, such as 1280x2856"
    default: "a text"
    }
  }
}
