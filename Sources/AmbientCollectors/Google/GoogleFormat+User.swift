// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The client, the user and the session of an event.
extension GoogleFormat {
  /// Returns the client identifier of an event. Returns nil if the event contains a malformed one,
  /// because any replacement would attribute the event to another client.
  ///
  /// The identifier is taken from the event's property or from a trait of its user. Without these,
  /// a web stream derives it from the event's anonymous identity. Without this identity, and for an
  /// app stream, the collector's `client` is used.
  func client(
    of event: Event, _ tracked: TrackedEvent, _ inspection: inout EventInspection
  ) -> String? {
    let name = GoogleIdentity.clientName(stream)
    guard let (value, path) = EventInspection.own(name, event, tracked.user) else {
      guard stream == .web, let anonymousID = tracked.anonymousID else { return client }
      return GoogleIdentity.client(of: anonymousID)
    }
    if case .string(let text) = value, GoogleIdentity.isClient(text, stream) { return text }
    inspection.note(
      .identityMalformed, at: path,
      needs: stream == .web
        ? "two positive numbers separated by a period, as text" : "32 hexadecimal digits",
      found: EventProblem.shown(of: value), .refused,
      stream == .web
        ? "use the part after GA1.1. of the cookie _ga" : "get it from the app's Firebase SDK")
    return nil
  }

  /// Returns the session that the event contains. If the event contains none, or a malformed one,
  /// returns the session that ``GoogleOptions/session`` determines.
  func session(
    of event: Event, _ user: AnalyticsUser?, _ client: String, _ date: Date,
    _ inspection: inout EventInspection
  ) -> AmbientValue? {
    if let (value, path) = EventInspection.own("session_id", event, user) {
      switch value {
      case .integer(let number) where number >= 0: return .string("\(number)")
      case .string(let text) where GoogleIdentity.isSession(text): return .string(text)
      default:
        inspection.note(
          .identityMalformed, at: path, needs: "digits", found: EventProblem.shown(of: value),
          .leftOut, "get it from the session's cookie")
      }
    }
    switch options.session {
    case .automatic(let pause):
      return .string(sessions.id(of: client, at: date, pause: pause))
    case .fixed(let id): return .string(id)
    case .none: return nil
    }
  }

  /// Returns the beginning of a request's body, up to its events.
  func head(
    _ client: String, of event: Event, _ user: AnalyticsUser?, _ inspection: inout EventInspection
  ) -> String {
    var fields: AmbientFields = [GoogleIdentity.clientName(stream): client]
    if let user {
      let id = inspection.settleUser(user.id, atMost: GoogleRules.userIDLength)
      fields["user_id"] = id.map { .string($0) }
      fields["user_properties"] = .fields(userProperties(user.traits, &inspection))
    }
    fields["consent"] = .fields(consent)
    let all = fields.merging(surroundings(of: event, user, &inspection))
    return String(AmbientValue.fields(all).json.dropLast())
  }

  private func userProperties(
    _ traits: AmbientFields, _ inspection: inout EventInspection
  ) -> AmbientFields {
    var fields = AmbientFields()
    for trait in traits
    where trait.name != GoogleIdentity.clientName(stream) && trait.name != "session_id"
      && !Self.isSurrounding(trait.name, trait.value)
    {
      let path = "user.traits.\(trait.name)"
      guard
        let name = GoogleRules.userPropertyName.settle(trait.name, at: path, &inspection),
        let value = ValueRules.single(
          trait.value, atMost: GoogleRules.userPropertyLength, at: path, &inspection),
        inspection.isFree(name, unless: fields[name] != nil, at: path)
      else { continue }
      guard fields.count < GoogleRules.userProperties else {
        inspection.note(
          .tooMany, at: path, needs: "at most \(GoogleRules.userProperties) user properties",
          found: "\(traits.count) traits", .leftOut, "identify users with fewer traits")
        continue
      }
      fields[name] = .fields(["value": value])
    }
    return fields
  }

  /// The user's answers to requests for consent; empty without ``GoogleOptions/consent``.
  private var consent: AmbientFields {
    guard let consent = options.consent else { return [:] }
    func answer(_ purpose: ConsentPurpose) -> String? {
      switch consent[purpose] {
      case .granted: "GRANTED"
      case .denied: "DENIED"
      case .pending: nil
      }
    }
    return [
      "ad_user_data": answer(.advertising), "ad_personalization": answer(.personalization),
    ]
  }
}
