import Ambient
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// A comment after a call names what the audit must report there, and nowhere else.

@MainActor var count = 0

@MainActor func add() { count += 1 }

func leave() async throws {
  Task { "a bare task" }  // Task.init
  Task { throw CancellationError() }  // Task.init
  Task.detached {}  // Task.detached
  Task { @MainActor in count += 1 }  // Task.init
  await withTaskExecutorPreference(OwnExecutor()) {}  // executor
}

func hop() async {
  await add()  // MainActor
}

func run() async {
  await MainActor.run { count += 1 }  // MainActor
}

func queue(_ queue: DispatchQueue) {
  queue.async {}  // DispatchQueue.async
  queue.async(execute: DispatchWorkItem {})  // DispatchQueue.async
  queue.async(flags: .barrier) {}  // DispatchQueue.async
}

func operations(_ operation: Operation) async throws {
  OperationQueue().addOperation(operation)  // OperationQueue
  OperationQueue.main.addOperation {}  // OperationQueue
  BlockOperation {}.start()  // OperationQueue
  Thread.detachNewThread {}  // Thread.detachNewThread
  Thread {}.start()  // Thread.detachNewThread
  let item = DispatchWorkItem {}  // DispatchWorkItem
  item.wait()
}

@available(macOS 26, *)
func immediately() {
  Task.immediate {}  // Task.immediate
}

func fetch(_ url: URL) async throws {
  _ = try await URLSession.shared.data(from: url)  // URLSession.data
  URLSession.shared.dataTask(with: url).resume()  // URLSession
}

func block(_ queue: DispatchQueue, _ group: DispatchGroup) {
  queue.sync {}
  DispatchQueue(label: "own").sync {}  // DispatchQueue
  _ = queue.sync(flags: .barrier) { 42 }  // DispatchQueue.sync
  queue.sync(execute: DispatchWorkItem {})  // DispatchQueue.sync
  DispatchQueue.concurrentPerform(iterations: 2) { _ in }  // DispatchQueue.concurrentPerform
  group.wait()  // DispatchGroup.wait
  _ = group.wait(timeout: .now() + 5)  // DispatchGroup.wait
}

func block(_ semaphore: DispatchSemaphore) {
  semaphore.wait()  // DispatchSemaphore.wait
  _ = semaphore.wait(timeout: .distantFuture)  // DispatchSemaphore.wait
  semaphore.signal()
}

func stay() async throws {
  Time.task { "a task of the scope" }
  try await withThrowingTaskGroup { group in
    group.addTask {}
    try await group.waitForAll()
  }
}

final class OwnExecutor: SerialExecutor, TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {}
}

actor Own {
  private let executor = OwnExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()  // executor
  }
}

final class ConsoleLog: Log, @unchecked Sendable {
  override func write(_ record: LogRecord) { print(record) }
}

let console = Log.calling { record in print(record) }
