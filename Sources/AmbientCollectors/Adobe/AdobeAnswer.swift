// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The problems that Adobe lists in the body of an answer (RFC 7807).
struct AdobeAnswer {
  /// The code of the first problem, such as `EXEG-0104-422`.
  let code: String?
  /// The problems' titles and details, or the beginning of the body if the body lists no problem.
  let detail: String
  /// The number of events that Adobe did not process completely; `.max` means all events. Nil if
  /// the body is not a JSON object, or has a member `errors` that is not a list of objects.
  let failedEvents: Int?

  init(_ answer: HTTPAnswer) {
    let body = (try? JSONSerialization.jsonObject(with: Data(answer.body))) as? [String: Any]
    let given = body?["errors"]
    let errors = given as? [[String: Any]] ?? []
    let isMalformed = given != nil && !(given is [[String: Any]])
    let problems = errors.isEmpty ? body.map { [$0] } ?? [] : errors
    code = Self.code(of: problems.first)
    var said: [String] = []
    for words in problems.map({ Self.words(of: $0, answer) }) {
      if !words.isEmpty, !said.contains(words) { said.append(words) }
    }
    detail = said.isEmpty ? answer.excerpt : answer.shown(said.joined(separator: " | "))
    guard body != nil, !isMalformed else {
      failedEvents = nil
      return
    }
    // A problem without an event's index comes from a service behind the Edge Network, and concerns
    // all events of the request.
    let indices = errors.map { ($0["report"] as? [String: Any])?["eventIndex"] as? Int }
    failedEvents = indices.contains(nil) ? .max : Set(indices).count
  }

  /// The code at the end of the member `type`; nil if there is none. Failures are counted by
  /// reason, and a reason contains the code, so the code must not be free text.
  private static func code(of problem: [String: Any]?) -> String? {
    (problem?["type"] as? String)?.firstMatch(of: /EXEG-[0-9]{4}-[0-9]{3}$/)
      .map { String($0.output) }
  }

  /// The problem's title, detail and errors. The problem's status comes first if it differs from
  /// the answer's status.
  private static func words(of problem: [String: Any], _ answer: HTTPAnswer) -> String {
    let status = (problem["status"] as? Int).flatMap { $0 == answer.status ? nil : "status \($0)" }
    let texts = ["title", "detail"].compactMap { problem[$0] as? String }
    let report = (problem["report"] as? [String: Any])?["errors"] as? [String] ?? []
    return ([status].compactMap(\.self) + texts + report).joined(separator: "; ")
  }

  /// The number in the problem's code, such as 104 in `EXEG-0104-422`.
  private var number: Int? { code.flatMap { Int($0.dropFirst(5).prefix(4)) } }

  /// Whether the problem concerns the datastream (codes 1 to 99), not an event.
  var isAboutDatastream: Bool { number.map { (1...99).contains($0) } ?? false }

  /// Whether the problem concerns the content of the request (codes 100 to 199).
  var isAboutInput: Bool { number.map { (100...199).contains($0) } ?? false }
}

extension DeliveryVerdict {
  /// The verdict on an answer from Adobe.
  ///
  /// Source: developer.adobe.com/data-collection-apis/docs, getting started, troubleshooting.
  static func adobe(_ answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    if answer.status == 207, let doubt = brokenOff(answer) { return doubt }
    let said = AdobeAnswer(answer)
    let reason = "status \(answer.status)\(said.code.map { ", \($0)" } ?? "")"
    switch answer.status {
    case 207 where answer.isWebPage, 400..<500 where answer.isOfProxy || answer.isWebPage:
      return .usual(for: answer, now: now)
    case 207:
      guard let count = said.failedEvents else {
        return .partlyAccepted(
          refused: .max, reason: "\(reason), but the answer does not name the failed events",
          detail: said.detail)
      }
      return count == 0
        ? .accepted : .partlyAccepted(refused: count, reason: reason, detail: said.detail)
    case 400, 422:
      return said.isAboutDatastream
        ? .turnedAway(reason, detail: said.detail) : .refused(reason, detail: said.detail)
    // From Adobe, 408 means that the request was empty, not that it timed out.
    case 408: return .refused(reason, detail: said.detail)
    // The failure may have occurred at any point of the processing, so Adobe says not to send the
    // request again. If the content is at fault, the request is split to find the faulty event.
    case 500:
      return said.isAboutInput
        ? .refused(reason, detail: said.detail)
        : .abandoned(reason, detail: said.detail)
    default: return .usual(for: answer, now: now).retriedIfUnclear
    }
  }
}
