// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
  internal import Ambient
  internal import Synchronization
  internal import Testing

  /// The unintended uses of contexts in one test, recorded as issues at its end, because an issue
  /// that is recorded on a thread outside the test belongs to no test.
  final class UnintendedUses: Sendable {
    /// The key of a use: the context's name, and the return addresses of the call.
    private struct Place: Hashable {
      let context: String
      let key: [UInt]
    }

    private struct Use {
      let context: String
      let caller: CallerTrace
      /// The tests that ran at the same time, which may have made the use.
      var others: Set<String>
    }

    private let kept = Guarded<[Place: Use]>([:])

    /// The names of the running tests that collect escapes, which are uses of the process's
    /// instances by code outside every test. Each running case of a test has one entry.
    private static let collecting = Guarded<[String]>([])

    /// An observer that adds each reported read of a context to the uses.
    var observer: UseObservers.Observer {
      { context, caller in
        self.add(context, caller, [])
      }
    }

    private func add(_ context: String, _ caller: CallerTrace, _ others: [String]) {
      let place = Place(context: context, key: caller.key)
      kept.withLock {
        $0[place, default: Use(context: context, caller: caller, others: [])].others
          .formUnion(others)
      }
    }

    /// Runs `body`. If `collects` is true, collects the uses of the process's instances that
    /// threads and tasks outside any test make meanwhile, and records them as issues at the end.
    static func collectingEscapes(
      _ collects: Bool, in test: Test, _ body: () async throws -> Void
    ) async throws {
      guard collects else { return try await body() }
      let uses = UnintendedUses()
      let name = test.name
      collecting.withLock { $0.append(name) }
      let number = UseObservers.add { context, caller in
        // Ignores uses inside a test: they come from a test without an `AmbientTrait`, and are
        // correct, because that test has no other instance.
        guard Test.current == nil else { return }
        var others = collecting.withLock { $0 }
        if let own = others.firstIndex(of: name) { others.remove(at: own) }
        uses.add(context, caller, others)
      }
      defer {
        UseObservers.remove(number)
        collecting.withLock { names in
          if let own = names.firstIndex(of: name) { names.remove(at: own) }
        }
        uses.record(in: test, text(ofEscape:))
      }
      try await body()
    }

    /// Records an issue, at the test's source location, for each line of code with an unintended
    /// use.
    func record(in test: Test, _ text: (_ names: String) -> String) {
      var places: [(line: String, contexts: [String], others: Set<String>)] = []
      let uses = kept.withLock { Array($0.values) }
      if uses.isEmpty { return }
      let callers = CallerTrace.Names(of: uses.map(\.caller))
      for use in uses {
        let line = callers.line("used", use.caller)
        let known = places.firstIndex { $0.line == line }
        if let known {
          if !places[known].contexts.contains(use.context) {
            places[known].contexts.append(use.context)
          }
          places[known].others.formUnion(use.others)
        } else {
          places.append((line, [use.context], use.others))
        }
      }
      for (line, contexts, others) in places {
        let names = contexts.map { "\($0).instance" }.joined(separator: " and ")
        Issue.record(
          "\(Self.text(text(names), line, others))", sourceLocation: test.sourceLocation)
      }
    }

    static func text(_ use: String, _ line: String, _ others: Set<String>) -> String {
      let note =
        others.isEmpty
        ? ""
        : "\n  The code may belong to a test that ran at the same time: "
          + others.sorted().joined(separator: ", ")
      return "\(use).\n\(line)\(note)"
    }

    static func text(ofEscape names: String) -> String {
      """
      code used the process's \(names) outside the test's scope; carry the scope to the code with \
      AmbientScope.capture()
      """
    }

    static func text(ofDefault names: String) -> String {
      """
      code read \(names) without an assignment in the test, so the default was used; assign an \
      instance in the test
      """
    }
  }
#endif
