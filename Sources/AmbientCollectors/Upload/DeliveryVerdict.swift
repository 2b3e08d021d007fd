// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The meaning of a server's answer for the events in the request.
///
/// Events are counted by `reason`, so it must be one of a small set of texts: after 32 reasons,
/// further ones are counted together, and their failures may not be reported. In a verdict on an
/// answer, `detail` may quote the server's message: reports show it in one line, shortened, without
/// secrets and without words of the events.
@nonexhaustive
public enum DeliveryVerdict: Hashable, Sendable {
  /// The events arrived.
  case accepted
  /// Some events arrived, and the others were refused.
  ///
  /// No event is sent again, because the server does not say which events it refused, or would
  /// refuse the same events again. `refused` is the number of events that count as lost; it is
  /// clamped to the range from 0 to the number of events in the request.
  case partlyAccepted(refused: Int, reason: String, detail: String = "")
  /// One of the events is at fault: the request is halved until that event is found.
  ///
  /// That event counts as lost, and is moved to the file of refused events, once the server has
  /// accepted another event of the same batch or of a later one. Without such an acceptance, the
  /// event stays in the queue, and the upload pauses as after a failure.
  case refused(_ reason: String, detail: String = "")
  /// The request is too large: it is halved, and later requests are smaller.
  ///
  /// A request with a single event is treated like a refused one.
  case tooLarge(_ reason: String, detail: String = "")
  /// The failure may be temporary: the events stay in the queue, and are sent again.
  ///
  /// `after` is the wait that the server asks for, at most ``UploadOptions/longestRetryAfter``. If
  /// a server that can be reached fails for ten minutes, or if two requests in a row break off
  /// while they are sent, the request is halved; in the end, its events are sent alone. `isInDoubt`
  /// means that they may have arrived, as if there were no answer; see
  /// ``UploadOptions/repeatsInDoubt``.
  case retry(
    _ reason: String, after: Duration? = nil, detail: String = "", isInDoubt: Bool = false)
  /// The answer does not say whether an event is at fault.
  ///
  /// The request is sent three times, then halved. A single event is sent again alone, and others
  /// wait for it only if the server asks for a wait (`after`) or seems to fail. It counts as lost,
  /// and is moved to the file of refused events, after the same answer came ten times over ten
  /// minutes, if other events were accepted in between.
  case unclear(_ reason: String, after: Duration? = nil, detail: String = "")
  /// The events must not be sent again, since they may have arrived and would count twice, or since
  /// the protocol forbids it.
  ///
  /// They count as lost, and the next request waits as after a failure.
  case abandoned(_ reason: String, detail: String = "")
  /// The set-up is at fault, not an event: a wrong key, a missing table, a proxy on the way.
  ///
  /// The events are kept, and sent again after growing waits, alone after ten minutes. Reports also
  /// list ``EventDestination/settingsToCheck``.
  case turnedAway(_ reason: String, detail: String = "")

  /// Returns the verdict for events that may have arrived, and are not sent again.
  static func inDoubt(detail: String) -> DeliveryVerdict {
    .abandoned("not known to have arrived", detail: detail)
  }

  /// Returns the verdict for an answer by its status, interpreted as most servers use it.
  ///
  /// Except for web pages (below), the first item that applies decides:
  ///
  /// - 2xx is accepted.
  /// - 408, 425, 429, 502, 503 and 504 are retried.
  /// - 413 is too large.
  /// - 3xx, which is a redirect that was not followed, 511, a 4xx from a proxy, and a 4xx that does
  ///   not depend on the events are turned away.
  /// - Any other 4xx is refused.
  /// - Any other status is unclear.
  ///
  /// A web page with 2xx, or with a 4xx other than 408, 413, 425 and 429, is never about an event:
  /// it is turned away, because it may be the login page of a hotel's network. With 5xx it is
  /// judged by its status, because many servers' own errors are pages.
  ///
  /// - Parameters:
  ///   - answer: The answer; its `Retry-After` is used if the answer is retried or unclear.
  ///   - now: The time, for a `Retry-After` with a date.
  public static func usual(for answer: HTTPAnswer, now: Date) -> DeliveryVerdict {
    let reason = "status \(answer.status)"
    var detail: String { answer.excerpt }
    switch answer.status {
    case 200..<300 where answer.isWebPage:
      return .turnedAway(webPage, detail: detail)
    case 200..<300: return .accepted
    case 300..<400:
      let (fault, detail) = answer.redirectFault
      return .turnedAway("\(reason), \(fault)", detail: detail)
    case 413: return .tooLarge(reason, detail: detail)
    case 511:
      return .turnedAway("\(reason), the network requires a login", detail: detail)
    case 408, 425, 429, 502...504:
      return .retry(reason, after: answer.retryAfter(now: now), detail: detail)
    case 400..<500 where answer.isOfProxy:
      return .turnedAway("\(reason), from a proxy", detail: detail)
    case 401, 403, 404: return .turnedAway(reason, detail: detail)
    case 400..<500 where answer.isWebPage:
      return .turnedAway("\(reason) with \(webPage)", detail: detail)
    case 400..<500:
      guard let cause = setUpFault(ofStatus: answer.status) else {
        return .refused(reason, detail: detail)
      }
      return .turnedAway("\(reason), \(cause)", detail: detail)
    default: return .unclear(reason, after: answer.retryAfter(now: now), detail: detail)
    }
  }

  /// The reason of a web page that answers instead of the server of a destination.
  static var webPage: String { "a web page instead of a collector's answer" }

  /// Returns the fault that a status reports in the set-up: in the address, in the header fields,
  /// or at the server. Returns nil if an event may be the cause of the status.
  ///
  /// Source: RFC 9110, 15.5; RFC 6585; RFC 7725; RFC 8470; RFC 4918.
  private static func setUpFault(ofStatus status: Int) -> String? {
    switch status {
    case 402: "the server requires payment"
    case 405: "the address does not accept POST"
    case 406: "a header field such as Accept asks for another format"
    case 410: "the address no longer exists"
    case 411: "the body's length is missing, perhaps because a proxy sends the body in chunks"
    case 412: "a condition in a header field such as If-Match does not hold"
    case 414: "the address is too long"
    case 415: "the server does not accept the Content-Type or the Content-Encoding"
    case 416: "the header field Range asks for a part that does not exist"
    case 417: "the server does not support the header field Expect"
    case 421: "this server does not serve the address's host"
    case 423: "the resource at the address is locked"
    case 424: "another request, on which this one depends, failed"
    case 426: "the server requires another protocol, such as https"
    case 428: "the server requires a header field such as If-Match"
    case 431: "the header fields are too large"
    case 451: "the address is blocked for legal reasons"
    default: nil
    }
  }
}

extension DeliveryVerdict {
  /// The verdict on a success whose body broke off, for a destination whose body decides; nil for
  /// any other answer.
  static func brokenOff(_ answer: HTTPAnswer) -> DeliveryVerdict? {
    guard answer.isBrokenOff, (200..<300).contains(answer.status) else { return nil }
    return .retry("the answer is incomplete", detail: answer.excerpt, isInDoubt: true)
  }

  /// The verdict with its detail in the form in which reports show parts of the answer.
  func showing(_ answer: HTTPAnswer) -> DeliveryVerdict {
    func shown(_ detail: String) -> String { detail.isEmpty ? "" : answer.shown(detail) }
    return switch self {
    case .accepted: self
    case .partlyAccepted(let refused, let reason, let detail):
      .partlyAccepted(refused: refused, reason: reason, detail: shown(detail))
    case .refused(let reason, let detail): .refused(reason, detail: shown(detail))
    case .tooLarge(let reason, let detail): .tooLarge(reason, detail: shown(detail))
    case .retry(let reason, let after, let detail, let isInDoubt):
      .retry(reason, after: after, detail: shown(detail), isInDoubt: isInDoubt)
    case .unclear(let reason, let after, let detail):
      .unclear(reason, after: after, detail: shown(detail))
    case .abandoned(let reason, let detail): .abandoned(reason, detail: shown(detail))
    case .turnedAway(let reason, let detail): .turnedAway(reason, detail: shown(detail))
    }
  }

  /// The reason, by which failures are distinguished, and its detail; empty for an acceptance.
  var words: (reason: String, detail: String) {
    switch self {
    case .accepted: ("", "")
    case .tooLarge(let reason, let detail):
      (reason, detail.isEmpty ? "the request is too large for the server" : detail)
    case .partlyAccepted(_, let reason, let detail), .refused(let reason, let detail),
      .retry(let reason, _, let detail, _), .unclear(let reason, _, let detail),
      .abandoned(let reason, let detail), .turnedAway(let reason, let detail):
      (reason, detail)
    }
  }

  /// The verdict of a destination whose answers never say of an event: an unclear answer is
  /// retried.
  var retriedIfUnclear: DeliveryVerdict {
    if case .unclear(let reason, let after, let detail) = self {
      .retry(reason, after: after, detail: detail)
    } else {
      self
    }
  }

  /// The verdict on a single event if the event may be the cause of a failure that otherwise is the
  /// server's; nil if the verdict stays as it is.
  var ifDoubtful: DeliveryVerdict? {
    switch self {
    case .retry(let reason, let after, let detail, _):
      .unclear(reason, after: after, detail: detail)
    case .turnedAway(let reason, let detail): .unclear(reason, detail: detail)
    default: nil
    }
  }

  /// Whether the server accepted the request, at least in part.
  var isAcceptance: Bool {
    switch self {
    case .accepted, .partlyAccepted: true
    default: false
    }
  }

  /// Whether the events must not be sent again.
  var isAbandonment: Bool { if case .abandoned = self { true } else { false } }
}

extension HTTPAnswer {
  /// The beginning of the body for reports, shortened and without secrets.
  package var excerpt: String {
    let text = self.text
    // The limit of the answer's size may have cut the last character in half.
    return shown(isCut && text.last == "\u{FFFD}" ? String(text.dropLast()) : text)
  }

  /// The reason why a redirect was not followed.
  fileprivate var redirectFault: (String, detail: String) {
    if status == 304 { return ("from a cache, not from the server", "") }
    guard let location = headers["location"], !location.isEmpty else {
      return ("a redirect without a Location", "")
    }
    return (
      isRedirectedTooOften ? "too many redirects" : "a redirect that was not followed",
      redirect ?? ""
    )
  }

  /// The target of a redirect, without parts that may be secret.
  fileprivate var redirect: String? {
    // Secrets are also hidden before parsing, because parsing escapes a malformed address, and the
    // escapes may disguise a secret.
    let place = headers["location"].flatMap { URL(string: secrets().hidden(in: $0)) }
    guard let url = place else { return nil }
    let text = url.host() == nil ? URL.withoutSecrets(path: url.path()) : url.withoutSecrets
    return shown("to \(text.replacing("%E2%80%A6", with: "…"))")
  }

  /// Whether a proxy answered in place of the server behind it.
  ///
  /// Source: RFC 9110, 11.7; RFC 9209, 2.1.1; Squid's error pages.
  var isOfProxy: Bool {
    status == 407 || headers["proxy-authenticate"] != nil || headers["x-squid-error"] != nil
      || headers["proxy-status"]?.contains("error=") == true
  }

  /// Whether the status is a success but the body is a web page, which the server of a destination
  /// never sends.
  var isWebPageOfSuccess: Bool { (200..<300).contains(status) && isWebPage }

  /// Whether the body is a web page.
  var isWebPage: Bool {
    let start = String(decoding: body.prefix(200), as: UTF8.self).lowercased()
      .trimmingCharacters(in: .whitespacesAndNewlines.union(["\u{FEFF}"]))
    if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return true }
    // The content type alone proves nothing: by default, PHP declares any output as `text/html`.
    return start.hasPrefix("<") && headers["content-type"]?.lowercased().contains("html") == true
  }
}

/// The treatment of a request if it is unknown whether the server received it, for example because
/// the connection broke.
///
/// The choice matters for destinations that would count the request's events twice. If there is a
/// whole answer, its ``DeliveryVerdict`` decides: after the status 504, for example, the request is
/// sent again in either case.
@nonexhaustive
public enum UnknownOutcome: Hashable, Sendable {
  /// The request is sent again, up to ``UploadOptions/repeatsInDoubt`` times in a row.
  ///
  /// Some events may count twice. Without a limit, no event is lost for this reason.
  case retried
  /// The request is not sent again, and its events count as lost, so no event counts twice.
  ///
  /// Two exceptions: Apple's systems may repeat the request (``OutgoingRequest/isRepeatable``), and
  /// it is sent again, as in ``UnknownOutcome/retried``, if the destination counts its events once,
  /// however often they arrive. An example of such an event is a sale that has the identity of its
  /// order.
  case dropped

  /// The verdict on a request that got no answer.
  ///
  /// - Parameter isCountedOnce: Whether the destination counts these events once, however often
  ///   they arrive.
  func verdict(on error: TransportError, isCountedOnce: Bool) -> DeliveryVerdict {
    guard error.outcome == .unknown, self == .dropped, !isCountedOnce else {
      return .retry(error.reason, detail: error.detail)
    }
    return .inDoubt(detail: error.description)
  }
}
