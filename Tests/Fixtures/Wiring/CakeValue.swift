import CheckoutWiring

func value(context: Context) {
  #if WRONG
    _ = context.repository
  #else
    _ = context.customers
  #endif
}
