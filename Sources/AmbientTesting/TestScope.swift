// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
  internal import Ambient
  internal import AmbientVirtualTime
  internal import Testing

  /// The scopes of virtual time in which a test runs.
  struct TestScope: Sendable {
    let test: Test
    /// Makes the time of a scope, which runs first in, first out if it gets no schedule.
    let makeTime: @Sendable (ScheduleRun?) -> VirtualTime

    var location: SourceLocation { test.sourceLocation }

    var place: SourcePlace {
      SourcePlace(fileID: location.fileID, line: UInt(location.line))
    }

    /// Runs the test in a scope, and records an issue for each finding of the scope.
    ///
    /// - Returns: The test's result, which is a success if its error has been recorded; and its
    ///   body if that was abandoned.
    func run(
      _ time: VirtualTime, mayLeave: Bool,
      _ function: @escaping @concurrent @Sendable () async throws -> Void
    ) async -> (Result<Void, any Error>, abandoned: Task<Void, any Error>?) {
      let found = Guarded<[VirtualTimeError]>([])
      let location = location
      let (result, leftovers, abandoned) = await time.run(
        at: place, mayLeave: mayLeave, { _ in try await function() },
        tell: { finding in
          switch finding {
          case .error(let error):
            found.withLock { $0.append(error) }
            Issue.record(error, sourceLocation: location)
          case .replaced: break  // It has been recorded.
          case .report(_, let text): Issue.record("\(text)", sourceLocation: location)
          case .hint(_, let text):
            Issue.record("\(text)", severity: .warning, sourceLocation: location)
          }
        })
      for leftover in leftovers { Issue.record("\(leftover)", sourceLocation: location) }
      // The closure `tell` has already recorded the error. If the error were recorded only here, it
      // would be lost if the test ignores its cancellation, because `run` then does not return.
      if case .failure(let error as VirtualTimeError) = result,
        found.withLock({ $0.contains(error) })
      {
        return (.success(()), abandoned)
      }
      return (result, abandoned)
    }
  }
#endif
