@main enum EventTracker { static func main() {} }
