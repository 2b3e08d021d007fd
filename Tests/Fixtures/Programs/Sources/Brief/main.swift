import Ambient

for _ in 0..<50 {
  let context = AmbientContext<Int>("Number") { 1 }
  _ = context.instance
  context.instance = 2
}
