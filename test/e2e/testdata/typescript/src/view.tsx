import { Cart } from "./cart";
import { total } from "./prices";

export function Sum(props: { cart: Cart }) {
  return <b title="🛒">{total(props.cart.prices)}</b>;
}

export const view = <Sum cart={new Cart()} />;
