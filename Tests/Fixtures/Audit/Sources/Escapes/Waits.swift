import CEscapes
import Dispatch
import Foundation

// A comment after a call names what the audit must report there, and nowhere else.

func waits(_ date: Date, _ source: any DispatchSourceTimer, _ calendar: Calendar) {
  _ = Date.timeIntervalSinceReferenceDate  // Date.timeIntervalSinceReferenceDate
  _ = date.timeIntervalSinceReferenceDate
  _ = Timer(timeInterval: 5, repeats: false) { _ in }  // Timer.init
  RunLoop.current.run(until: date)  // RunLoop.run
  _ = NSCondition().wait(until: date)  // NSCondition
  _ = poll(nil, 0, 5)  // poll
  var now = timespec()
  _ = timespec_get(&now, 1)  // timespec_get
  var (condition, mutex) = (pthread_cond_t(), pthread_mutex_t())
  pthread_cond_timedwait(&condition, &mutex, &now)  // pthread_cond_timedwait
  pthread_cond_wait(&condition, &mutex)
  var used = tms()
  _ = times(&used)  // times
  _ = alarm(4)  // alarm
  _ = clock()  // clock
  source.schedule(wallDeadline: .distantFuture)  // DispatchSourceTimer.schedule
  source.schedule(deadline: .distantFuture, repeating: 5)  // DispatchSourceTimer.schedule
  _ = calendar.isDateInToday(date)  // Calendar.isDateInToday
  _ = RunLoop.current.run(mode: .default, before: date)  // RunLoop.run
  Thread.sleep(until: date)  // Thread.sleep
  _ = Timer(fire: date, interval: 5, repeats: false) { _ in }  // Timer.init
  _ = NSConditionLock(condition: 1).lock(before: date)  // NSCondition
  _ = DispatchWallTime(timespec: now)  // DispatchWallTime.now()
  RunLoop.current.run()  // RunLoop.run
}

func chance() {
  _ = Int.random(in: 0..<5)  // random
  _ = Double.random(in: 0...5)  // random
  _ = Bool.random()  // random
  _ = [1].shuffled()  // shuffled
  _ = [1].randomElement()  // randomElement
  _ = rand()  // rand
  _ = drand48()  // drand48
  _ = random()  // random
  var bits = 0
  _ = getentropy(&bits, 8)  // getentropy
  _ = arc4random()  // arc4random
  _ = arc4random_uniform(6)  // arc4random
  _ = ProcessInfo.processInfo.globallyUniqueString  // globallyUniqueString
  var generator = SystemRandomNumberGenerator()  // SystemRandomNumberGenerator
  _ = Int.random(in: 0..<5, using: &generator)
  _ = [1].shuffled(using: &generator)
}
