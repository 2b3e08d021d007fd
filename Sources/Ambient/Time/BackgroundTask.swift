/// The task-local mark of background tasks, which is inherited by the tasks that they start.
enum BackgroundTask {
  @TaskLocal static var isCurrent = false
}
