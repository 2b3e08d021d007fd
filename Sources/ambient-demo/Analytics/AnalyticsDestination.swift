import Ambient
import AmbientCollectors
import Foundation

/// Where events go, as `--analytics` says it.
enum AnalyticsDestination: Hashable, Sendable {
  case none
  case stdout
  case file(path: String)
  case http(HTTPTarget)

  static let words = ["none", "stdout", "file:PATH", "http:URL"]

  /// Reads one from the command line; an address may stand with `http:` before it, or alone.
  init(argument text: String, of option: Option) throws(UsageError) {
    func rest(after prefix: String) -> String? {
      text.hasPrefix(prefix) && text.count > prefix.count
        ? String(text.dropFirst(prefix.count)) : nil
    }
    let isAddress = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
    if text == "none" {
      self = .none
    } else if text == "stdout" {
      self = .stdout
    } else if let path = rest(after: "file:") {
      self = .file(path: path)
    } else if let address = isAddress ? text : rest(after: "http:") {
      self = .http(try HTTPTarget(address, of: option))
    } else {
      // What follows may have a secret in it.
      let shown = text.range(of: "://").map { "\(text[..<$0.upperBound])…" } ?? text
      throw .unknownWord(shown, option: option.name, valid: Self.words)
    }
  }

  /// All that the arguments name, of which none is there twice.
  static func all(_ arguments: Arguments, _ option: Option) throws(UsageError) -> [Self] {
    var all: [Self] = []
    for text in arguments.all(option) {
      let destination = try Self(argument: text, of: option)
      guard !all.contains(destination) else {
        throw .invalidValue(option.name, reason: "“\(destination)” is named twice; name it once")
      }
      all.append(destination)
    }
    guard all.count == 1 || !all.contains(.none) else {
      throw .invalidValue(
        option.name, reason: "none means that events go nowhere; leave it out, or the others")
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
    case .http(let target): target.shown
    }
  }
}

/// A server that takes events. Two are the same if their events may wait in one queue: user and
/// password do not count.
struct HTTPTarget: Hashable, Sendable {
  /// The address as it was given, with its secrets.
  let address: String
  /// The address without them, for people.
  let shown: String
  /// A name for the folder of its queue, the same in each run: the host for people, and a digest of
  /// the whole address, which tells nobody what stands in its query.
  let folderName: String

  /// - Throws: ``UsageError`` if nothing can be sent there.
  init(_ address: String, of option: Option) throws(UsageError) {
    let url: URL
    do throws(CollectorError) {
      url = try HTTPEndpoint(url: address, headers: [:], query: [:]).url
    } catch {
      throw .invalidValue(option.name, reason: error.description)
    }
    self.address = address
    shown = url.withoutSecrets
    let scheme = url.scheme?.lowercased() ?? ""
    let host = url.host(percentEncoded: true)?.lowercased() ?? ""
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    let rest = "\(url.path(percentEncoded: true))?\(url.query(percentEncoded: true) ?? "")"
    let digest = Self.digest("\(scheme)://\(host):\(port)\(rest)")
    let plain = host.prefix(100).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    folderName = "\(String(plain))-\(port)-\(digest)"
  }

  static func == (one: Self, other: Self) -> Bool { one.folderName == other.folderName }

  func hash(into hasher: inout Hasher) { hasher.combine(folderName) }

  /// Eight digits by FNV-1a (32 bits): too few to find out a secret by.
  private static func digest(_ text: String) -> String {
    let number = text.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
