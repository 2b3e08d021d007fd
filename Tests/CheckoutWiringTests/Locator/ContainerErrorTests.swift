import Ambient
import Checkout
import CheckoutWiring
import Testing

@Suite struct `A container that has no answer` {
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self) { try body() }
  }

  @Test func `names what is missing, who asked for it, and where`() throws {
    let line: UInt = #line + 2
    let container = Container()
      .register(Car.self, .once) { Car(engine: try $0.resolve()) }
      .register(Garage.self) { Garage(cars: [try $0.resolve()]) }
    let error = try error { _ = try container.resolve(Garage.self) }
    guard case .missing = error.reason else { throw error }
    #expect(error.service == "Engine")
    #expect(error.askedBy == ["Garage", "Car"])
    #expect(error.place.line == line)
    #expect(
      error.description == """
        Engine is not registered, asked for by Garage → Car at \(#fileID):\(line); \
        register it, or ask for what is registered
        """)
  }

  @Test func `names the place if the program itself asks`() throws {
    let error = try error { _ = try Container().resolve(Car.self) }
    #expect(error.askedBy == [] && error.place.line == #line - 1)
    #expect(error.place.fileID == #fileID)
  }

  @Test(arguments: ServiceScope.allCases)
  func `names a cycle as a path`(scope: ServiceScope) throws {
    let container = Container()
      .register(Garage.self) { Garage(cars: [try $0.resolve()]) }
      .register(Car.self, scope) {
        _ = try $0.resolve(Left.self)
        return Car(engine: Motor())
      }
      .register(Left.self, scope) {
        _ = try $0.resolve(Right.self)
        return Left()
      }
      .register(Right.self, scope) {
        _ = try $0.resolve(Car.self)
        return Right()
      }
    for _ in 0..<2 {
      let error = try error { _ = try container.resolve(Garage.self) }
      guard case .cycle(let path) = error.reason else { throw error }
      #expect(path == ["Car", "Left", "Right", "Car"])
      #expect(error.askedBy == ["Garage", "Car", "Left", "Right"])
    }
  }

  @Test func `names a cycle of one`() throws {
    let container = Container().register(Left.self) { try $0.resolve(Left.self) }
    let error = try error { _ = try container.resolve(Left.self) }
    guard case .cycle(let path) = error.reason else { throw error }
    #expect(path == ["Left", "Left"])
  }

  @Test func `finds a cycle that two threads close, each from its end`() async throws {
    for _ in 0..<50 {
      let gate = Gate(2)
      let container = Container()
        .register(Left.self, .once) {
          gate.pass()
          _ = try $0.resolve(Right.self)
          return Left()
        }
        .register(Right.self, .once) {
          gate.pass()
          _ = try $0.resolve(Left.self)
          return Right()
        }
      async let left = Gate.onThread { Result { _ = try container.resolve(Left.self) } }
      async let right = Gate.onThread { Result { _ = try container.resolve(Right.self) } }
      for result in await [left, right] {
        guard case .failure(let error as ResolutionError) = result,
          case .cycle(let path) = error.reason
        else {
          Issue.record("no cycle: \(result)")
          continue
        }
        #expect(path.count == 3 && path.first == path.last)
      }
    }
  }

  @Test func `hands on the error of a factory, and asks it again the next time`() throws {
    let count = Counter()
    let container = Container()
      .register((any Engine).self, .once) { _ in
        if count.next() == 1 { throw Breakdown() }
        return Motor()
      }
      .register(Car.self) { Car(engine: try $0.resolve()) }
    let error = try error { _ = try container.resolve(Car.self) }
    guard case .failed(let reason) = error.reason else { throw error }
    #expect(reason as? Breakdown == Breakdown())
    #expect(error.service == "Engine" && error.askedBy == ["Car"])
    #expect(try container.resolve(Car.self).engine.power == 90)
  }
}
