// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The identities of an event's device and user, in the forms that Adobe accepts.
package enum AdobeIdentity {
  /// The namespaces of devices at Adobe: ids that Adobe assigns (ECID), and ids that the company
  /// assigns (FPID).
  static let deviceNamespaces = ["ECID", "FPID"]
  /// The properties or traits that identify a device. They are put into variables or context data
  /// only if they are mapped. `client_id` is the name that other collectors use.
  static let properties = ["ecid", "fpid", "client_id"]

  package static func check(datastreamID: String) throws(CollectorError) {
    guard isDatastream(datastreamID) else {
      throw SettingChecks.malformed(
        datastreamID, "datastreamID", "a datastream id", isFitting: isDatastream,
        """
        use a UUID such as 0123abcd-0123-4567-89ab-0123456789ab, from Data Collection, Datastreams
        """)
    }
  }

  private static func isDatastream(_ text: String) -> Bool {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let isWhole = parts.count == 1 || ["prod", "stage", "dev"].contains(parts[1])
    return isWhole && UUID(uuidString: String(parts[0])) != nil
  }

  /// A UUID of version 4, which Adobe demands. It is derived from a client id, so that the same
  /// client always gets the same UUID.
  static func device(ofClient client: String) -> String { StableDigest(client.utf8).uuid }

  /// The identity in the form that Adobe accepts; nil if the value cannot have that form.
  static func settled(_ value: AmbientValue, in property: String) -> String? {
    guard case .string(let text) = value, !value.isPrivateMark else { return nil }
    switch property {
    case "ecid": return text.wholeMatch(of: /[0-9]{38}/) == nil ? nil : text
    case "fpid":
      guard let uuid = UUID(uuidString: text)?.uuid, uuid.6 >> 4 == 4, uuid.8 >> 6 == 2 else {
        return nil
      }
      return text.lowercased()
    default:
      let isClient = (1...200).contains(text.utf8.count)
      return isClient ? device(ofClient: text) : nil
    }
  }

  static func demand(_ property: String) -> (needs: String, advice: String) {
    switch property {
    case "ecid": ("38 digits, as text", "get it from Adobe's cookie or SDK")
    case "fpid": ("a UUID of version 4", "keep a random UUID for each device")
    default: ("a text of 1 to 200 bytes", "use a unique text for each device")
    }
  }
}

extension AdobeFormat {
  /// The `identityMap` of an event. Nil if the event or its user has a malformed identity of a
  /// device: if that identity were left out, the event would count for another device.
  func identities(
    of event: Event, _ tracked: TrackedEvent, _ inspection: inout EventInspection
  ) -> AmbientFields? {
    let user = tracked.user
    var map = AmbientFields()
    let person = options.userNamespace.flatMap { namespace in
      user.flatMap { inspection.settleUser($0.id, atMost: AdobeRules.userIDLength) }
        .map { (namespace, id: $0) }
    }
    func add(_ namespace: String, _ id: String, isPrimary: Bool) {
      let item: AmbientFields = ["id": id, "primary": isPrimary ? true : nil]
      map[namespace] = [item].ambientValue
    }
    let isPersons = person?.0.isPrimary == true
    for property in AdobeIdentity.properties {
      // `ecid` and `fpid` take precedence: `client_id` is used only without them.
      guard map.isEmpty || property != "client_id",
        let (value, path) = EventInspection.own(property, event, user)
      else { continue }
      guard let id = AdobeIdentity.settled(value, in: property) else {
        let (needs, advice) = AdobeIdentity.demand(property)
        inspection.note(
          .identityMalformed, at: path, needs: needs, found: EventProblem.shown(of: value),
          .refused, advice)
        return nil
      }
      add(property == "ecid" ? "ECID" : "FPID", id, isPrimary: map.isEmpty && !isPersons)
    }
    if map.isEmpty {
      let anonymous = tracked.anonymousID.map { AdobeIdentity.device(ofClient: $0) }
      add("FPID", anonymous ?? device, isPrimary: !isPersons)
    }
    if let (namespace, id) = person { add(namespace.code, id, isPrimary: namespace.isPrimary) }
    return map
  }
}
