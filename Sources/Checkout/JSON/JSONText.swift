internal import Foundation

/// Why a text is no JSON, and where in it.
enum JSONText {
  /// What is wrong with the text, as `invalid value at line 3, column 7`; nil if it is JSON.
  static func fault(in data: Data) -> String? {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      return nil
    } catch {
      guard let reason = (error as NSError).userInfo["NSDebugDescription"] as? String else {
        return "it cannot be read"
      }
      // Linux counts bytes from the start: "Invalid value around character 15."
      guard let match = reason.wholeMatch(of: /(.+) (?:around|starting from) character (\d+)\.?/),
        let offset = Int(match.2)
      else { return sentence(reason) }
      return "\(sentence(String(match.1))) at \(place(offset, in: data))"
    }
  }

  /// The words of Foundation as a part of a sentence: neither a capital nor a full stop.
  private static func sentence(_ reason: String) -> String {
    reason.prefix(1).lowercased() + reason.dropFirst().trimmingSuffix(".")
  }

  private static func place(_ offset: Int, in data: Data) -> String {
    let before = data.prefix(offset)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    return "line \(line), column \(column)"
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ suffix: String) -> Substring {
    hasSuffix(suffix) ? dropLast(suffix.count) : self
  }
}
