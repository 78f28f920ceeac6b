/** Fields that a client selects below one field: services read only those. */
export interface Selection {
  has(field: string): boolean;
  /** The selection below a field; empty where the field is not selected. */
  of(field: string): Selection;
  readonly fields: readonly string[];
}

/** Selection of a list: fields of its items, and whether the total is selected. */
export interface ListSelection {
  items: Selection;
  total: boolean;
}

/** Field and direction of the order of a list. */
export interface Order<Field extends string> {
  field: Field;
  direction?: 'ASC' | 'DESC' | null;
}

export const NO_FIELDS: Selection = { fields: [], has: () => false, of: () => NO_FIELDS };
