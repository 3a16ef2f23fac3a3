declare namespace JSX {
  type Element = object;
  interface IntrinsicElements {
    b: { title?: string; children?: unknown };
  }
}
