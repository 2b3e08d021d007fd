// SPDX-License-Identifier: Apache-2.0

/// A file that could not be opened, made or read, or whose options or rotation are invalid.
public struct FileOpenError: DescribedError, Hashable {
  /// The path of the file.
  public let path: String
  /// The reason, in the system's words or in ours, such as “its rotation has a size of 0 bytes”.
  public let reason: String

  private let advice: String

  /// - Parameter advice: The advice in the description. The default advice says to name a file if
  ///   `path` is empty, and otherwise to choose a file in a folder that this user may write to.
  init(path: String, reason: String, advice: String? = nil) {
    self.path = path
    self.reason = reason
    let other =
      path.isEmpty ? "name a file" : "choose a file in a folder that this user may write to"
    self.advice = advice ?? other
  }

  /// - Parameter error: The system's error, or the reason why the package refuses the path, which
  ///   contains the advice.
  init(path: String, _ error: SystemError) {
    self.init(path: path, reason: error.description, advice: error.number < 0 ? "" : nil)
  }

  /// The file, the reason, and advice.
  public var description: String {
    "cannot open “\(path)”: \(reason)\(advice.isEmpty ? "" : "; \(advice)")".escaped
  }
}
