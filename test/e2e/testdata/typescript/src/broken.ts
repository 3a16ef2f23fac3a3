import { total } from "./prices";

export const count: string = total([1]);
