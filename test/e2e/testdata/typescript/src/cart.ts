import { Größe, parse, total } from "./prices";

export class Cart {
  prices: number[] = [parse("7")];

  sum(): number {
    return total(this.prices);
  }

  label(): [string, number] {
    return ["🛒🛒", total(this.prices) + total([])];
  }

  size(): Größe {
    return this.prices.length;
  }
}
