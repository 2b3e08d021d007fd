/// Whether the current task is a background task, or was started by one.
enum BackgroundTask {
  @TaskLocal static var isCurrent = false
}
