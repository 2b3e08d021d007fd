// SPDX-License-Identifier: Apache-2.0

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
  ) throws(CollectorSecretError) -> [String: String] {
    let fields = try parse(environment[variable] ?? "")
    do throws(CollectorError) {
      _ = try PostTarget(url: target.address ?? "", headers: fields, query: [:])
    } catch {
      throw fault(error.description)
    }
    return fields
  }

  /// Parses a text with one field per line, such as `X-Key: secret`. A value may contain any
  /// character except a line break.
  private static func parse(_ text: String) throws(CollectorSecretError) -> [String: String] {
    var fields: [String: String] = [:]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty { continue }
      let parts = line.parts(at: ":")
      guard parts.count == 2 else { throw fault("line \(index + 1) has no colon") }
      let name = parts[0].trimmingCharacters(in: .whitespaces)
      guard !fields.keys.contains(where: { $0.lowercased() == name.lowercased() }) else {
        throw fault("line \(index + 1) repeats a field")
      }
      fields[name] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return fields
  }

  private static func fault(_ reason: String) -> CollectorSecretError {
    CollectorSecretError(
      variable: variable, reason: "\(reason); use one field per line, such as X-Key: secret")
  }
}
