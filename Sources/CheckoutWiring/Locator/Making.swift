internal import Foundation

/// The services that a thread is making, the outermost first.
///
/// A factory runs to its end on the calling thread. So services requested meanwhile on that thread
/// are requested by the factory, even from a container that it has captured. Other work that runs
/// on the thread meanwhile (`Task.immediate`, a run loop, `concurrentPerform`) counts as the
/// factory's. A task-local value would not do: all tasks that a factory starts would inherit it,
/// and circles would be found where there are none.
final class Making {
  /// A service that is being made, or a container's request to its parent.
  private struct Step {
    /// The identity of a registration, or the container that calls its parent.
    let owner: AnyObject
    let key: ServiceKey
    var isMade: Bool { owner is Registration.Identity }
  }

  private static let key = "CheckoutWiring.Making"

  private var steps: [Step] = []
  /// Stored with the cell, which must stay alive: a new cell could otherwise get the address of a
  /// freed one.
  private var answers: [ObjectIdentifier: (cell: Cell, service: any Sendable)] = [:]

  /// This thread's stack of services in the making; the thread keeps it, since storing it is slow.
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

  /// Makes the service of a cell, as requested by the innermost service in the making.
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

  /// Takes a step; throws if the thread is within the same step already: the services need each
  /// other.
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
