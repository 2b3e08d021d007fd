public import Foundation

/// What an answer means for the events of its request.
public enum Verdict: Hashable, Sendable {
  /// They arrived.
  case accepted
  /// They arrived but for some, of which the server does not say which, or that it would not take
  /// again: those are counted as lost.
  case partlyAccepted(refused: Int, reason: String, detail: String = "")
  /// One of them is at fault: they are halved until it is found, and that one is lost.
  ///
  /// Reasons are of few kinds, since events are counted by them; `detail` is what the server says.
  case refused(_ reason: String, detail: String = "")
  /// Too much at once: they are halved, and later requests are smaller.
  case tooLarge(_ reason: String, detail: String = "")
  /// Later, perhaps: they are kept, and sent again as they are.
  case retry(_ reason: String, after: Duration? = nil, detail: String = "")
  /// They are not to be sent again: since they may have arrived, and would count twice, or since
  /// the protocol forbids it. They are counted as lost, and the next request waits as after a
  /// failure.
  case abandoned(_ reason: String, detail: String = "")
  /// Nothing is taken from us, as we are set up: a wrong key, a missing table. They are kept, and
  /// tried again rarely.
  case turnedAway(_ reason: String, detail: String = "")

  /// What a server of the usual kind means by its status.
  ///
  /// 2xx has arrived, but a whole web page is nothing that a collector answers: somebody else did,
  /// as the gateway of a hotel. What arrives as 3xx was not followed. 408, 425, 429 and 5xx are
  /// tried again; 401, 402, 403, 404, 405, 407 and 410 are about the address or the key, and not
  /// about the events; 413 is too large, and what else is 4xx is refused.
  public static func usual(for answer: Answer, now: Date) -> Verdict {
    let reason = "status \(answer.status)"
    var detail: String { answer.excerpt }
    switch answer.status {
    case 200..<300 where answer.isWebPage:
      return .turnedAway("a web page, which no collector answers", detail: detail)
    case 200..<300: return .accepted
    case 300..<400:
      let (fault, detail) = answer.redirectFault
      return .turnedAway("\(reason), \(fault)", detail: detail)
    case 407: return .turnedAway("\(reason), which a proxy answers", detail: detail)
    case 401, 402, 403, 404, 405, 410: return .turnedAway(reason, detail: detail)
    case 413: return .tooLarge(reason, detail: detail)
    case 408, 425, 429, 500...:
      return .retry(reason, after: answer.retryAfter(now: now), detail: detail)
    case 400..<500: return .refused(reason, detail: detail)
    default: return .retry(reason, detail: detail)
    }
  }
}

extension Answer {
  /// What a report shows of the body.
  package var excerpt: String {
    let text = self.text
    // Half a character, where it was cut.
    return shown(isCut && text.last == "\u{FFFD}" ? String(text.dropLast()) : text)
  }

  /// Why a redirect was not followed.
  fileprivate var redirectFault: (String, detail: String) {
    guard let location = headers["location"], !location.isEmpty else {
      return ("a redirect without a Location", "")
    }
    return (
      isRedirectedTooOften ? "too many redirects" : "a redirect that is not followed",
      redirect ?? ""
    )
  }

  /// Where a redirect leads, without what may be secret.
  fileprivate var redirect: String? {
    // Looked at before it is read, too: what is no address becomes one by escaping its escapes.
    let place = headers["location"].flatMap { URL(string: secrets().hidden(in: $0)) }
    guard let url = place else { return nil }
    let text = url.host() == nil ? URL.withoutSecrets(path: url.path()) : url.withoutSecrets
    return shown("to \(text.replacing("%E2%80%A6", with: "…"))")
  }

  /// Whether the body is a whole web page.
  fileprivate var isWebPage: Bool {
    let start = String(decoding: body.prefix(200), as: UTF8.self).lowercased()
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
  }
}
