// SPDX-License-Identifier: Apache-2.0

/// The error that is thrown if the current service is not the expected recorder.
public struct NoRecorderError: DescribedError, Hashable {
  private let expected: String
  private let found: String

  /// Casts the current service to the inferred type of recorder.
  static func check<Recorder>(_ service: Any) throws(NoRecorderError) -> Recorder {
    guard let recorder = service as? Recorder else {
      throw NoRecorderError(expected: "\(Recorder.self)", found: "\(type(of: service))")
    }
    return recorder
  }

  /// A message that contains the type of the current service, and the ways to install a recorder.
  public var description: String {
    """
    the current service is \(found), not \(expected); assign a recorder, bind one with withInstance, \
    or give the test the trait .\(expected.hasPrefix("Log") ? "log" : "analytics")(\(expected)())
    """
  }
}
