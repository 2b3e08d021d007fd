import Foundation

// A comment after a call names what the audit must report there, and nowhere else.

func zones(_ zone: TimeZone, _ date: Date) -> [Any?] {
  [
    zone.secondsFromGMT(),  // Date()
    zone.abbreviation(),  // Date()
    zone.isDaylightSavingTime(),  // Date()
    zone.daylightSavingTimeOffset(),  // Date()
    zone.nextDaylightSavingTimeTransition,  // nextDaylightSavingTimeTransition
    zone.secondsFromGMT(for: date),
    zone.nextDaylightSavingTimeTransition(after: date),
    NSTimeZone.system,  // TimeZone.current
    NSTimeZone.local,  // TimeZone.current
    NSTimeZone.default,  // TimeZone.current
    NSTimeZone(name: "Europe/Berlin"),  // NSTimeZone
  ]
}

func calendars() -> [Any?] {
  [
    Calendar(identifier: .gregorian),  // Calendar(identifier:)
    NSCalendar.current,  // Calendar.current
    NSCalendar(identifier: .gregorian),  // Calendar(identifier:)
    DateInterval(),  // DateInterval()
    NSDate(timeIntervalSinceNow: 5),  // Date(timeIntervalSinceNow:)
  ]
}

func calendar(of zone: TimeZone) -> Calendar {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = zone
  return calendar
}

func formatted(_ date: Date, by style: Date.FormatStyle) -> [String] {
  [
    date.formatted(),  // Date.formatted
    date.formatted(date: .long, time: .omitted),  // Date.formatted
    date.formatted(.dateTime),  // Date.formatted
    date.formatted(.relative(presentation: .named)),  // Date.RelativeFormatStyle
    date.formatted(style),
    date.formatted(.iso8601),
    (date..<date).formatted(),  // Date.formatted
    DateFormatter().string(from: date),  // DateFormatter()
    ISO8601DateFormatter().string(from: date),
    "\(date)",
  ]
}

func formatted(_ number: Int, _ locale: Locale) -> [String] {
  [
    number.formatted(),  // formatted()
    number.formatted(.percent),  // Locale.current
    number.formatted(.percent.locale(locale)),  // Locale.current
    number.formatted(IntegerFormatStyle(locale: locale)),
    number.formatted(.currency(code: "EUR")),  // formatted()
    Duration.seconds(number).formatted(),  // formatted()
    ["a", "b"].formatted(),  // formatted()
    NumberFormatter().string(for: number) ?? "",  // NumberFormatter()
    "A".localizedLowercase,  // localizedCompare
    "A".lowercased(with: locale),
    "\("a".localizedCompare("b"))",  // localizedCompare
    String(format: "%d", number),
    String.localizedStringWithFormat("%d", number),  // localizedCompare
  ]
}

func style() -> Date.IntervalFormatStyle {
  .init(
    date: .long,
    locale: Locale(identifier: "en"), calendar: calendar(of: .gmt), timeZone: .gmt)
}

func seconds(
  _ semaphore: UnsafeMutablePointer<sem_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>
) -> [Any?] {
  var (seconds, parts, deadline) = (time_t(), tm(), timespec())
  return [
    localtime_r(&seconds, &parts),  // localtime
    mktime(&parts),  // localtime
    gmtime_r(&seconds, &parts),
    timegm(&parts),
    sem_timedwait(semaphore, &deadline),  // sem_timedwait
    timer_create(CLOCK_MONOTONIC, nil, nil),  // timer_create
    setlocale(LC_ALL, ""),  // setlocale
    pthread_mutex_timedlock(mutex, &deadline),  // pthread_cond_timedwait
  ]
}
