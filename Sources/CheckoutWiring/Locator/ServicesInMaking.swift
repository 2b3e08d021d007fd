// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The services that a thread is making, the outermost first.
///
/// A factory runs to its end on the calling thread. So a service that is requested on this thread
/// meanwhile is requested by the factory, even if the request goes to a container that the factory
/// has captured. Other work that runs on the thread meanwhile (`Task.immediate`, a run loop,
/// `concurrentPerform`) counts as work of the factory. A task-local value would not work: all tasks
/// that a factory starts would inherit the value, and would report cycles that do not exist.
final class ServicesInMaking {
  /// A service that is being made, or a container's request to its parent.
  private struct Step {
    /// The identity of a registration, or the container that calls its parent.
    let owner: AnyObject
    let key: ServiceKey
    var isMade: Bool { owner is Registration.Identity }
  }

  private static let key = "CheckoutWiring.ServicesInMaking"

  private var steps: [Step] = []
  /// The services shared within one resolution, by the identities of their cells. Each entry
  /// retains its cell, because a new cell could otherwise get the address of a freed one.
  private var answers: [ObjectIdentifier: (cell: Cell, service: any Sendable)] = [:]

  /// This thread's stack of services in the making. It stays in the thread's dictionary after use,
  /// because storing a new one is slow.
  static var current: ServicesInMaking {
    let values = Thread.current.threadDictionary
    if let making = values[key] as? ServicesInMaking { return making }
    let making = ServicesInMaking()
    values[key] = making
    return making
  }

  /// The names of the services that are being made.
  var path: [String] { names(steps[...]) }

  private func names(_ steps: ArraySlice<Step>) -> [String] {
    steps.filter(\.isMade).map { "\($0.key)" }
  }

  /// Makes the service of a cell by calling `body`. If the lifetime is `oncePerResolution` and this
  /// resolution has already made the service, returns that service instead.
  func make(
    _ cell: Cell, _ service: Any.Type, _ request: ServiceRequest,
    _ body: () throws -> any Sendable
  ) throws(ResolutionError) -> any Sendable {
    let registration = cell.registration
    let isShared = registration.lifetime == .oncePerResolution
    if isShared, let answer = answers[ObjectIdentifier(cell)] { return answer.service }
    let made = try step(registration.identity, registration.key, service, request, body)
    if isShared, !steps.isEmpty { answers[ObjectIdentifier(cell)] = (cell, made) }
    return made
  }

  /// Calls `body`, and keeps a step for it on this stack of services in the making meanwhile.
  /// Throws if the stack already contains the same step, because the services then need each other.
  func step<Answer>(
    _ owner: AnyObject, _ key: ServiceKey, _ service: Any.Type, _ request: ServiceRequest,
    _ body: () throws -> Answer
  ) throws(ResolutionError) -> Answer {
    if let start = steps.firstIndex(where: { $0.owner === owner && $0.key == key }) {
      let circle = names(steps[start...])
      let first = circle.first == "\(key)" ? [] : ["\(key)"]
      throw request.error(.cycle(first + circle + ["\(key)"]), service)
    }
    steps.append(Step(owner: owner, key: key))
    let result = Result(catching: body)
    steps.removeLast()
    if steps.isEmpty { answers = [:] }
    do { return try result.get() } catch {
      throw error as? ResolutionError ?? request.error(.failed(error), service)
    }
  }
}
