// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation

/// The destination of events, as the option `--analytics` names it.
enum AnalyticsDestination: Hashable, Sendable {
  case none
  case stdout
  case file(path: String)
  case sent(DeliveryTarget)

  static let words =
    ["none", "stdout", "file:PATH"] + DeliveryTarget.Service.allCases.map(\.word)

  /// Reads a destination from the command line. An HTTP address may be given alone
  /// (`https://host/path`) or after the word of its service (`http:https://host/path`).
  init(argument text: String, of option: Option) throws(UsageError) {
    let isAddress = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
    if text == "none" {
      self = .none
    } else if text == "stdout" {
      self = .stdout
    } else if let path = text.rest(after: "file:") {
      self = .file(path: path)
    } else if isAddress {
      self = .sent(try DeliveryTarget(.http, text, of: option))
    } else if let (service, words) = DeliveryTarget.Service.allCases.lazy
      .compactMap({ service in text.rest(after: "\(service):").map { (service, $0) } }).first
    {
      self = .sent(try DeliveryTarget(service, words, of: option))
    } else {
      throw .unknownWord(text, option: option.name, valid: Self.words)
    }
  }

  /// Returns all destinations in the arguments. Throws if a destination is repeated, or if `none`
  /// is combined with another.
  static func all(_ arguments: Arguments, _ option: Option) throws(UsageError) -> [Self] {
    var all: [Self] = []
    for text in arguments.all(option) {
      let destination = try Self(argument: text, of: option)
      guard !all.contains(destination) else {
        throw .invalidValue(option.name, reason: "“\(destination)” is repeated; pass it once")
      }
      all.append(destination)
    }
    guard all.count == 1 || !all.contains(.none) else {
      throw .invalidValue(
        option.name, reason: "none excludes all other destinations; remove it, or the others")
    }
    return all
  }
}

extension AnalyticsDestination: CustomStringConvertible {
  /// The destination, without secrets.
  var description: String {
    switch self {
    case .none: "none"
    case .stdout: "stdout"
    case .file(let path): "file:\(path)"
    case .sent(let target): target.shown
    }
  }
}
