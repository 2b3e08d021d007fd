internal import Ambient
internal import Foundation

/// How instants stand in messages.
enum Text {
  static func of(_ date: Date) -> String { date.iso8601(fractionDigits: 0) }
}
