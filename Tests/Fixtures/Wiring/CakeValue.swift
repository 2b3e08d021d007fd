import Checkout
import CheckoutWiring

func members<Context: Cake.CustomersComponent & Cake.RewardsComponent & Cake.ClientComponent>(
  _ context: Context.Type
) {
  #if WRONG
    _ = Cake.Members(context).client
  #else
    _ = Cake.Members(context).customers
  #endif
}
