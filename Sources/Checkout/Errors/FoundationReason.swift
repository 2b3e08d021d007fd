// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The reasons in Foundation's errors, in a form that fits into this package's messages.
package enum FoundationReason {
  /// The reason why a file cannot be read or written: the text of the POSIX error without
  /// Foundation's sentence around it, or Foundation's sentence if there is no POSIX error.
  package static func ofFile(_ error: any Error) -> String {
    let outer = error as NSError
    let inner = (outer.userInfo[NSUnderlyingErrorKey] as? any Error ?? error) as NSError
    guard inner.domain == NSPOSIXErrorDomain else { return outer.localizedDescription }
    return String(cString: strerror(Int32(inner.code)))
  }

  /// The reason why a text is not JSON, such as `invalid value at line 3, column 7`; nil if it is
  /// JSON.
  static func ofJSON(_ data: Data) -> String? {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      return nil
    } catch {
      guard let reason = (error as NSError).userInfo["NSDebugDescription"] as? String else {
        return "it cannot be parsed"
      }
      // On Linux, the message has the offset in bytes: “Invalid value around character 15.”
      guard let match = reason.wholeMatch(of: /(.+) (?:around|starting from) character (\d+)\.?/),
        let offset = Int(match.2)
      else { return sentence(reason) }
      return "\(sentence(String(match.1))) at \(place(offset, in: data))"
    }
  }

  /// Foundation's message without its capital and its full stop, to become part of a sentence.
  private static func sentence(_ reason: String) -> String {
    let rest = reason.dropFirst()
    return reason.prefix(1).lowercased() + (rest.hasSuffix(".") ? rest.dropLast() : rest)
  }

  private static func place(_ offset: Int, in data: Data) -> String {
    let before = data.prefix(offset)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    return "line \(line), column \(column)"
  }
}
