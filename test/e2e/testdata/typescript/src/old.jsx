import { Sum } from "./view";

export const old = <Sum cart={undefined} />;
