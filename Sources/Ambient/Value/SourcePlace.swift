// SPDX-License-Identifier: Apache-2.0

/// A place in the source code, for example that of a call that logs, sleeps, or uses a container.
public struct SourcePlace: Hashable, Sendable {
  /// The module and the file, such as `Checkout/Basket.swift`.
  public let fileID: String
  /// The function; empty if it is not known.
  public let function: String
  /// The line, counted from one; zero if it is not known.
  public let line: UInt

  /// The module, the first part of the file's name.
  public var module: String { String(fileID.prefix { $0 != "/" }) }

  /// Creates a place from a file, a function and a line.
  ///
  /// - Parameters:
  ///   - fileID: The module and the file, as `#fileID` gives them.
  ///   - function: The function, as `#function` gives it; empty if it is not known.
  ///   - line: The line, as `#line` gives it; zero if it is not known.
  @inlinable
  public init(fileID: String, function: String = "", line: UInt) {
    self.fileID = fileID
    self.function = function
    self.line = line
  }
}

extension SourcePlace: CustomStringConvertible {
  /// The file and the line, such as `Checkout/Basket.swift:42`; only the file if the line is zero.
  public var description: String { line == 0 ? fileID : "\(fileID):\(line)" }
}
