// The top level is on the main actor, to which each await returns: that is no hop of the program's.

@concurrent func work() async -> Int { 1 }

@MainActor func show() {}

func hop() async {
  await show()  // MainActor
}

_ = await work()
_ = await work()
await hop()
let block = { @Sendable in
  await show()  // MainActor
}
await block()
