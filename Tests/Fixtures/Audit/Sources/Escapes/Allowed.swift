import Foundation

func allowedByFile() {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
}

func allowedByFunction() -> UUID { UUID() }

func allowedEverywhere() { print("ready") }
