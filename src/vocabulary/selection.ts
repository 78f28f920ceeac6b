/** What a client asks for below one field: a service reads that and nothing else. */
export interface Selection {
  has(field: string): boolean;
  /** What is asked for below a field; nothing where the field is not asked for. */
  of(field: string): Selection;
  readonly fields: readonly string[];
}

/** What a client asks for of a list: of its items, and whether they are to be counted. */
export interface ListSelection {
  items: Selection;
  total: boolean;
}
