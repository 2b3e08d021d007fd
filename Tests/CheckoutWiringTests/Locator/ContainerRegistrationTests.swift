import Ambient
import Checkout
import CheckoutWiring
import Testing

@Suite struct `A container's registrations` {
  @Test func `override each other, and the first can be told`() throws {
    let line: UInt = #line
    let container = Container()
      .register((any Engine).self, Motor(power: 1))
      .register((any Engine).self) { _ in Motor(power: 2) }
      .register((any Engine).self, .once) { _ in Motor(power: 3) }
    #expect(try container.resolve((any Engine).self).power == 3)
    let all = container.registrations(of: (any Engine).self)
    #expect(all.map(\.kind) == [.instance, .factory(.eachTime), .factory(.once)])
    #expect(all.first?.place.line == line + 2)
    #expect(all.first?.place.fileID == #fileID)
    #expect(all.allSatisfy { $0.service == "Engine" })
    #expect(container.registrations(of: Motor.self).isEmpty)
  }

  @Test func `never change: each makes another container`() throws {
    let base = Container().register(Motor.self, Motor(power: 1))
    let other = base.register(Motor.self, Motor(power: 2))
    #expect(try base.resolve(Motor.self).power == 1)
    #expect(try other.resolve(Motor.self).power == 2)
    #expect(base.registrations.count == 1)
  }

  @Test func `are found for an optional of their type`() throws {
    let container = Container()
      .register((any Engine).self, Motor(power: 7))
      .register(Motor.self) { (_, power: Int) in Motor(power: power) }
      .register(Car.self) { resolution in
        let engine: (any Engine)? = try resolution.resolve()
        return Car(engine: try #require(engine))
      }
    if let engine: any Engine = try? container.resolve() {
      #expect(engine.power == 7)
    } else {
      Issue.record("nil for a service that is registered")
    }
    let motor: Motor? = try? container.resolve(with: 3)
    #expect(motor?.power == 3)
    #expect(try container.resolve(Car.self).engine.power == 7)
    let nothing: Left? = try? container.resolve()
    #expect(nothing == nil)
    let optional = container.register((Left?).self, Left())
    #expect(try optional.resolve((Left?).self) != nil)
    let error = #expect(throws: ResolutionError.self) { let _: Left? = try container.resolve() }
    #expect(error?.service == "Left")
  }

  @Test func `as optionals are found as such, and fail as such`() throws {
    let container = Container()
      .register(Motor.self, Motor(power: 1))
      .register((Motor?).self) { (_, power: Int) in power > 0 ? Motor(power: power) : nil }
      .register((Left?).self) { _ in throw Breakdown() }
      .register((Right?).self) { try $0.resolve((Right?).self) }
    #expect(try container.resolve((Motor?).self, with: 3)?.power == 3)
    #expect(try container.resolve((Motor?).self, with: 0) == nil)
    #expect(try container.resolve(Motor.self).power == 1)
    let failed = #expect(throws: ResolutionError.self) { try container.resolve((Left?).self) }
    guard case .failed(let reason)? = failed?.reason else { throw Breakdown() }
    #expect(reason is Breakdown)
    let circle = #expect(throws: ResolutionError.self) { try container.resolve((Right?).self) }
    guard case .cycle? = circle?.reason else { throw Breakdown() }
  }

  @Test func `take factories that are types`() throws {
    struct MotorFactory: ServiceFactory {
      let power: Int
      func make(_ resolution: Resolution) throws -> any Engine { Motor(power: power) }
    }
    let container = Container().register(MotorFactory(power: 7), .once)
    let engines = try [container.resolve((any Engine).self), container.resolve((any Engine).self)]
    #expect(engines[0].power == 7)
    #expect(engines[0] as? Motor === engines[1] as? Motor)
  }

  @Test func `are found among a thousand`() throws {
    // Types that the test makes up: arrays of arrays.
    func register(_ container: Container, depth: Int) -> Container {
      func step<T: Sendable>(_ value: T, _ container: Container, _ depth: Int) -> Container {
        let next = container.register([T].self, [value])
        return depth == 0 ? next : step([value], next, depth - 1)
      }
      return step(1, container, depth)
    }
    func look<T: Sendable>(_ value: T, _ container: Container, _ depth: Int) throws {
      #expect("\(try container.resolve([T].self))" == "\([value])")
      if depth > 0 { try look([value], container, depth - 1) }
    }
    let container = register(Container(), depth: 60)
    #expect(container.registrations.count == 61)
    try look(1, container, 60)
  }

  @Test func `can be checked all at once`() {
    let container = Container()
      .register(Car.self, .once) { Car(engine: try $0.resolve()) }
      .register(Left.self) { _ in throw Breakdown() }
      .register(Right.self, Right())
      .register(Garage.self) { (_, cars: [Car]) in Garage(cars: cars) }
    #expect(container.check().map(\.service) == ["Engine", "Left"])
    #expect(container.register((any Engine).self, Motor()).check().map(\.service) == ["Left"])
  }
}
