// SPDX-License-Identifier: Apache-2.0

/// The errors of a queue that cannot be used.
extension CollectorError {
  /// The error of a queue whose journal cannot be opened.
  package static func queue(_ error: JournalError) -> Self {
    let code: Code =
      switch error {
      case .inUse: .queueInUse
      case .missing: .noQueue
      default: .queueUnusable
      }
    return Self(code, error.description)
  }

  /// The error of a queue that another collector of this process has claimed.
  package static func queueTaken(folder: String) -> Self {
    Self(
      .queueInUse,
      """
      the queue “\(folder)” already belongs to another collector of this process; open a queue in \
      a separate folder for each collector
      """)
  }

  /// The error of a file with the client's id that cannot be read or written.
  package static func clientID(path: String) -> Self {
    Self(
      .queueUnusable,
      "cannot read or write “\(path)”: let this user write to the folder, or set a client id")
  }
}
