// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The reason why a collector, its queue or its client cannot be used, without secrets.
public struct CollectorError: DescribedError, Hashable {
  /// The kind of the fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// A setting is invalid, such as an address, a header field, an id, a secret or an option.
    case invalidSetting
    /// Another process, or another queue of this process, has the folder open, or a collector has
    /// claimed this queue before.
    case queueInUse
    /// There is no queue in the folder.
    case noQueue
    /// The folder of the queue, or a file in it, cannot be used.
    case queueUnusable
    /// The program cannot use HTTP: on Linux, the system has no usable libcurl, or the program runs
    /// with more rights than its caller.
    case noHTTP
    /// A file of certificates, or of a key, cannot be used.
    case certificate
  }

  /// The kind of the fault.
  public let code: Code
  /// The fault, where it is, and in most cases advice.
  public let description: String

  /// - Parameter description: The text, which may quote paths and names with any characters.
  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description.escaped
  }
}

extension CollectorError {
  /// The error of a malformed address.
  ///
  /// - Parameter shown: The parts of the address that reports may show.
  package static func invalidURL(_ shown: String, reason: String) -> Self {
    Self(
      .invalidSetting,
      "cannot send to “\(shown)”: \(reason); use an address such as https://events.example/path")
  }

  /// The error of a header field that cannot be sent.
  package static func invalidHeader(name: String, reason: String) -> Self {
    Self(
      .invalidSetting, "cannot send the header field “\(name.shortened(to: 100))”: \(reason)")
  }

  /// The error of a setting that is invalid.
  package static func invalidSetting(name: String, reason: String) -> Self {
    Self(.invalidSetting, "invalid setting “\(name)”: \(reason)")
  }
}
