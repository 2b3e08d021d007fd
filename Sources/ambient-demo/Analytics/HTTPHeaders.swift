import AmbientCollectors
import Foundation

/// The header fields of requests to http destinations. They may be secrets, so they are read from
/// the environment: every user of the machine could see them in a command line.
enum HTTPHeaders {
  static let variable = "AMBIENT_HTTP_HEADERS"

  /// Returns the header fields that the environment sets, after a check that they are valid for the
  /// target.
  static func fields(
    for target: DeliveryTarget, _ environment: [String: String]
  ) throws(HTTPHeadersError) -> [String: String] {
    let fields = try parse(environment[variable] ?? "")
    do throws(CollectorError) {
      _ = try PostTarget(url: target.address ?? "", headers: fields, query: [:])
    } catch {
      throw .invalid(reason: error.description)
    }
    return fields
  }

  /// Parses a text with one field per line, such as `X-Key: secret`. A value may contain any
  /// character except a line break.
  static func parse(_ text: String) throws(HTTPHeadersError) -> [String: String] {
    var fields: [String: String] = [:]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty { continue }
      guard let colon = line.firstIndex(of: ":") else { throw .noColon(line: index + 1) }
      let name = line[..<colon].trimmingCharacters(in: .whitespaces)
      guard !fields.keys.contains(where: { $0.lowercased() == name.lowercased() }) else {
        throw .repeated(line: index + 1)
      }
      fields[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return fields
  }
}

/// The reason why header fields cannot be sent. It contains no field's value, because each value
/// may be a secret.
enum HTTPHeadersError: Error, Hashable, Sendable, CustomStringConvertible {
  case noColon(line: Int)
  case repeated(line: Int)
  case invalid(reason: String)

  var description: String {
    let place = HTTPHeaders.variable
    return switch self {
    case .noColon(let line):
      "\(place): line \(line) has no colon; write one field a line, as X-Key: secret"
    case .repeated(let line):
      "\(place): line \(line) names a field for the second time; name it once"
    case .invalid(let reason):
      "\(place): \(reason); write one field a line, as X-Key: secret"
    }
  }
}
