import { unused } from "../src/prices";
unused();
