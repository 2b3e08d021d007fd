/// A file that could not be opened for appending.
public struct FileOpenError: DescribedError, Hashable {
  /// The file.
  public let path: String
  /// What the system said.
  public let reason: String

  private var advice: String {
    path.isEmpty ? "name a file" : "choose a file in a folder that this user may write to"
  }

  /// Says which file, why, and what to do.
  public var description: String {
    "cannot append to “\(path)”: \(reason); \(advice)"
  }
}
