/** A size. */
export type Größe = number;

/** Adds up prices. */
export function total(prices: number[]): number {
  return prices.reduce((sum, price) => sum + price, 0);
}

export function parse(text: string): number;
export function parse(text: boolean): boolean;
export function parse(text: string | boolean): number | boolean {
  return typeof text === "string" ? Number(text) : text;
}

export function unused(): void {}
