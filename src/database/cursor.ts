import { invalidInput, refuseErrors, type FieldError } from '../errors.js';
import { FIRST_INSTANT, LAST_INSTANT, LIMITS } from '../values/limits.js';

/** Arguments of a page: forwards (`first`, `after`), backwards (`last`, `before`), or counted (`offset`). */
export interface PageRequest {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  offset?: number | null;
}

export interface Page<Row> {
  rows: Row[];
  /** In the order of `rows`. */
  readonly cursors: string[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Number of rows that match the filter; undefined unless requested. */
  total: number | undefined;
}

export function rowsOfAll<Row>(pages: ReadonlyMap<unknown, Page<Row>>): Row[] {
  return [...pages.values()].flatMap(({ rows }) => rows);
}

/** PostgreSQL type of a column by which rows are ordered or found. */
export type KeyType = 'text' | 'int' | 'bigint' | 'timestamptz' | 'uuid';

/** Converts a raw row to a row, and reads its place in the order. */
interface PageReader<Raw, Row> {
  row(raw: Raw): Row;
  place(raw: Raw): readonly [sort: unknown, id: unknown];
}

export interface Window {
  size: number;
  offset: number;
  cursor: string | undefined;
  cursorName: 'after' | 'before';
  /** Read from the end: `last`. */
  backwards: boolean;
}

/** Validates a page request (values outside the limits are errors, not clamped). Throws BAD_USER_INPUT. */
export function windowOf(
  { first, after, last, before, offset }: PageRequest,
  maxSize: number = LIMITS.page.maxSize,
): Window {
  const { minSize, defaultSize } = LIMITS.page;
  const errors: FieldError[] = [];
  const refuse = (name: string, sentence: string) => errors.push({ path: [name], sentence });
  for (const [name, size] of [
    ['first', first],
    ['last', last],
  ] as const) {
    if (size != null && (size < minSize || size > maxSize)) refuse(name, `must be from ${minSize} to ${maxSize}`);
  }
  if (offset != null && offset < 0) refuse('offset', 'must be 0 or more');
  if (first != null && last != null)
    errors.push({ path: ['first'], sentence: 'first and last must not be given together', whole: true });
  const backwards = last != null || (before != null && first == null);
  if (backwards && after != null) refuse('after', 'must not be given together with last or before');
  if (!backwards && before != null) refuse('before', 'must not be given together with first');
  if (offset != null && (after != null || backwards))
    refuse('offset', 'must not be given together with a cursor or last');
  refuseErrors(errors);
  return {
    size: (backwards ? last : first) ?? defaultSize,
    offset: offset ?? 0,
    cursor: (backwards ? before : after) ?? undefined,
    cursorName: backwards ? 'before' : 'after',
    backwards,
  };
}

export function pageOf<Raw, Row>(
  raw: Raw[],
  window: Window,
  sortName: string,
  reader: PageReader<Raw, Row>,
): Page<Row> {
  const more = raw.length > window.size;
  if (more) raw.length = window.size;
  if (window.backwards) raw.reverse();
  return new KeyedPage<Raw, Row>(raw, window, { sortName, reader, more });
}

/**
 * A class because of its getter: one in an object literal makes V8 retain each page with its rows until a full
 * collection.
 */
class KeyedPage<Raw, Row> implements Page<Row> {
  readonly rows: Row[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  total: number | undefined = undefined;

  constructor(
    private readonly raw: readonly Raw[],
    window: Window,
    private readonly order: { sortName: string; reader: PageReader<Raw, Row>; more: boolean },
  ) {
    this.rows = raw.map(order.reader.row);
    this.hasNextPage = window.backwards ? window.cursor !== undefined : order.more;
    this.hasPreviousPage = window.backwards ? order.more : window.cursor !== undefined || window.offset > 0;
  }

  get cursors(): string[] {
    const { sortName, reader } = this.order;
    return this.raw.map((raw) => encodeCursor(sortName, ...reader.place(raw)));
  }
}

/**
 * A page of a list in memory, ordered by its unique keys, all integers or all texts; the same page as a statement
 * would return. Cursors of another `order` are refused.
 */
export function pageOfItems<Item, Key extends number | string>(
  items: readonly Item[],
  type: Key extends number ? 'int' : 'text',
  keyOf: (item: Item) => Key,
  { order = 'KEY', maxPageSize, ...request }: PageRequest & { order?: string; maxPageSize?: number },
): Page<Item> {
  const window = windowOf(request, maxPageSize);
  const edge = window.cursor === undefined ? undefined : (decodeCursor(window, order, type, type).sort as Key);
  const beyond = (item: Item) => edge === undefined || (window.backwards ? keyOf(item) < edge : keyOf(item) > edge);
  const rest = items.filter(beyond).slice(window.offset);
  const taken = (window.backwards ? rest.toReversed() : rest).slice(0, window.size + 1);
  const page = pageOf(taken, window, order, { row: (item) => item, place: (item) => [keyOf(item), keyOf(item)] });
  page.total = items.length;
  return page;
}

/** Opaque to clients. It contains the row's place in its order, so that it remains valid when the row is deleted. */
export function encodeCursor(sortName: string, sort: unknown, id: unknown): string {
  return Buffer.from(JSON.stringify([sortName, sort, id])).toString('base64url');
}

/** A record with its place in a list (`Listing.place`). */
export interface Placed {
  $order: string;
  $sort: unknown;
  $key: unknown;
}

export function cursorOf({ $order, $sort, $key }: Placed): string {
  return encodeCursor($order, $sort, $key);
}

/** Throws BAD_USER_INPUT unless it is a cursor of a list in this order: its values become typed parameters. */
export function decodeCursor(
  window: Window,
  sortName: string,
  sort: KeyType,
  id: KeyType,
): { sort: unknown; id: unknown } {
  const parts = jsonOf(Buffer.from(window.cursor ?? '', 'base64url').toString('utf8'));
  if (Array.isArray(parts) && parts.length === 3) {
    const [name, sortPart, idPart] = parts as unknown[];
    // Decoding skips characters that are no base64.
    const isWhole = encodeCursor(sortName, sortPart, idPart) === window.cursor;
    if (name === sortName && isWhole && fits(sort, sortPart) && fits(id, idPart)) return { sort: sortPart, id: idPart };
  }
  throw invalidInput([{ path: [window.cursorName], sentence: 'must be a cursor of this list in the same order' }]);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function fits(type: KeyType, part: unknown): boolean {
  if (type === 'bigint') return Number.isSafeInteger(part);
  if (type === 'int') return typeof part === 'number' && Math.abs(part) <= 2_147_483_647 && Number.isInteger(part);
  if (typeof part !== 'string' || part.length > 1_000 || part.includes('\0')) return false;
  if (type === 'timestamptz') return isInstant(part);
  return type === 'uuid' ? UUID.test(part) : true;
}

/** An instant in PostgreSQL's range and format: JavaScript accepts a year 0, and reads 30 February as 2 March. */
function isInstant(text: string): boolean {
  const instant = Date.parse(text);
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT && new Date(instant).toISOString() === text;
}
