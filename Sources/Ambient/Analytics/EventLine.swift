/// One line of JSON for an event: `{"id":…,"time":…,"event":"purchase","properties":{…}}`.
enum EventLine {
  static func json(_ event: TrackedEvent) -> String {
    let fields: AmbientFields = [
      "id": event.id, "time": event.date, "event": event.event.name,
      "properties": event.event.properties,
    ]
    return LineBuffer.with { line in
      line.append(json: .fields(fields))
      line.append("\n")
      return line.text
    }
  }
}
