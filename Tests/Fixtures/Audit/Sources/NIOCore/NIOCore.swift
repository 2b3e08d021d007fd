// Declarations with the names that swift-nio gives them.

public struct TimeAmount: Sendable {
  public static func seconds(_ amount: Int64) -> TimeAmount { TimeAmount() }
}

public struct NIODeadline: Sendable {
  public static func now() -> NIODeadline { NIODeadline() }
}

public final class EventLoopFuture<Value: Sendable>: Sendable {
  private let value: Value

  public init(_ value: Value) { self.value = value }

  public func get() async throws -> Value { value }

  public func wait(file: StaticString = #file, line: UInt = #line) throws -> Value { value }
}

public struct Scheduled<T: Sendable>: Sendable {
  public let futureResult: EventLoopFuture<T>
}

public protocol EventLoop: Sendable {
  func scheduleTask<T: Sendable>(
    in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T
  ) -> Scheduled<T>
}
