/// One line of JSON for an event: `{"id":…,"time":…,"event":"purchase","properties":{…}}`.
enum EventLine {
  static func json(_ event: TrackedEvent) -> String {
    var json = JSONText()
    json.append([
      "id": event.id, "time": event.date, "event": event.event.name,
      "properties": event.event.properties,
    ])
    return json.text + "\n"
  }
}
