import Ambient
import CheckoutWiring
import Testing

@Suite struct `A container's chain` {
  /// Says what it supports: a class, and the protocol by which it is asked for.
  private struct MotorFactory: ServiceFactory {
    let power: Int
    func supports<Wanted>(_ service: Wanted.Type) -> Bool {
      service == Motor.self || service == (any Engine).self || service == Left.self
    }
    func make(_ resolution: Resolution) -> Motor { Motor(power: power) }
  }

  /// A resolver of one's own, which has what a plug-in might bring.
  private struct Plugged: Resolver {
    let power: Int
    func supports<Service>(_ service: Service.Type) -> Bool { service == (any Engine).self }
    func resolve<Service: Sendable>(
      _ service: Service.Type, at place: SourcePlace
    ) throws(ResolutionError) -> Service {
      guard power > 0, let engine = Motor(power: power) as? Service else {
        throw ResolutionError(.missing, service, at: place)
      }
      return engine
    }
  }

  private let cars = Container().register(Car.self) { Car(engine: try $0.resolve()) }

  private func reason(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self) { try body() }
  }

  @Test func `asks a factory for each type that it supports, and shares one service`() throws {
    let container = cars.register(MotorFactory(power: 7), .once)
    let motor = try container.resolve(Motor.self)
    #expect(try container.resolve((any Engine).self) as? Motor === motor)
    #expect(try container.resolve(Car.self).engine as? Motor === motor)
    #expect(container.supports((any Engine).self) && !container.supports(Right.self))
  }

  @Test func `prefers what is registered for the type itself`() throws {
    let container = cars.register((any Engine).self, Motor(power: 1))
      .register(MotorFactory(power: 7)).register(resolver: Plugged(power: 9))
    #expect(try container.resolve(Car.self).engine.power == 1)
    #expect(try container.resolve(Motor.self).power == 7)
  }

  @Test func `tells a factory that supports what it does not make`() throws {
    let error = try reason { _ = try cars.register(MotorFactory(power: 7)).resolve(Left.self) }
    guard case .unkept(let made) = error.reason else { throw error }
    #expect(made == "Motor" && error.service == "Left" && error.place.line == #line - 2)
  }

  @Test func `asks resolvers for what is not registered, the first that supports it`() throws {
    let container = cars.register(resolver: Plugged(power: 2))
      .register(resolver: Plugged(power: 3))
    #expect(try container.resolve((any Engine).self).power == 2)
    #expect(try container.resolve(Car.self).engine.power == 2)
    #expect(container.supports((any Engine).self))
    #expect(container.check().isEmpty)
  }

  @Test func `keeps its resolvers in each container that is made from it`() throws {
    let container = Container().register(resolver: Plugged(power: 2)).register(Left.self, Left())
    #expect(try container.resolve((any Engine).self).power == 2)
  }

  @Test func `may hold another container, with services and arguments of its own`() throws {
    let inner = Container().register((any Engine).self, Motor(power: 4))
      .register(Motor.self) { (_, power: Int) in Motor(power: power) }
    let container = cars.register(resolver: inner)
    #expect(try container.resolve(Car.self).engine.power == 4)
    #expect(try container.resolve(Motor.self, with: 5).power == 5)
  }

  @Test func `says who asked for what a resolver does not find`() throws {
    let error = try reason { _ = try cars.register(resolver: Plugged(power: 0)).resolve(Car.self) }
    guard case .missing = error.reason else { throw error }
    #expect(error.service == "Engine" && error.askedBy == ["Car"])
    #expect(error.place.fileID == #fileID)
  }

  @Test func `says who asked a resolver for what needs other arguments`() throws {
    let inner = Container().register(Motor.self) { (_, power: Int) in Motor(power: power) }
    let container = Container().register(resolver: inner)
      .register(Car.self) { Car(engine: try $0.resolve(Motor.self, with: "fast")) }
    let error = try reason { _ = try container.resolve(Car.self) }
    guard case .wrongArguments(["Int"], ["String"]) = error.reason else { throw error }
    #expect(error.askedBy == ["Car"])
  }

  @Test func `says that a resolver takes no arguments`() throws {
    let container = Container().register(resolver: Plugged(power: 1))
    let error = try reason { _ = try container.resolve((any Engine).self, with: 1) }
    guard case .wrongArguments(let expected, let given) = error.reason else { throw error }
    #expect(expected.isEmpty && given == ["Int"])
  }
}
