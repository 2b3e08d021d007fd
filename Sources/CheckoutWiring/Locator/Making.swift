internal import Foundation

/// The services that a thread is making, the outermost first.
///
/// A factory runs to its end on the calling thread, so services requested meanwhile on that thread
/// are requested by it, even from a container that it has captured. Work that a factory lets run on
/// its thread (`Task.immediate`, a run loop, `concurrentPerform`) counts as the factory's. A
/// task-local value would follow all tasks that a factory starts, and find circles where there are
/// none.
final class Making {
  /// A service that is being made, or that a container asks its parent for.
  private struct Step {
    /// The identity of a registration, or the container that asks its parent.
    let owner: AnyObject
    let key: ServiceKey
    var isMade: Bool { owner is Registration.Identity }
  }

  private static let key = "CheckoutWiring.Making"

  private var steps: [Step] = []
  /// With the cell, since another one could get the address of one that was dropped.
  private var answers: [ObjectIdentifier: (cell: Cell, service: any Sendable)] = [:]

  /// This thread's stack of services in the making; kept with the thread, since storing it is slow.
  static var current: Making {
    let values = Thread.current.threadDictionary
    if let making = values[key] as? Making { return making }
    let making = Making()
    values[key] = making
    return making
  }

  /// The names of the services that are being made.
  var path: [String] { names(steps[...]) }

  private func names(_ steps: ArraySlice<Step>) -> [String] {
    steps.filter(\.isMade).map { "\($0.key)" }
  }

  /// Makes the service of a cell, for the innermost service that the thread is making.
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

  /// Takes a step, unless the thread is within it: then the services need each other.
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
