import { createHash } from 'node:crypto';
import { types, type CustomTypesConfig } from 'pg';

/**
 * Formats of columns. A timestamptz stays text in ISO 8601: creating and formatting a Date would cost more than
 * reading the row. Sessions run in UTC (orm-options.ts), and columns have milliseconds.
 */
export const wireTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return types.getTypeParser(oid, 'binary');
    if (oid === TIMESTAMPTZ) return isoInstant;
    if (oid === DATE) return String;
    if (oid === INT8) return Number;
    if (oid === INT8_ARRAY) return numbers;
    return types.getTypeParser(oid, 'text');
  }) as CustomTypesConfig['getTypeParser'],
};

const TIMESTAMPTZ = 1184;
const DATE = 1082;
const INT8 = 20;
const INT8_ARRAY = 1016;

/** Elements of an array without nulls. */
function numbers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}

/** "2026-11-20 08:15:30.5+00" becomes "2026-11-20T08:15:30.500Z". */
function isoInstant(text: string): string {
  const fraction =
    text.length > 22
      ? text
          .slice(20, text.length - 3)
          .padEnd(3, '0')
          .slice(0, 3)
      : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}

/**
 * Names for statements worth preparing. PostgreSQL stores a named statement as long as the connection, so a text is
 * named at its second use, up to a limit; others run unnamed, which is slower. The name is a digest of the text:
 * where a pooler shares sessions among programs, it is unique.
 */
export class StatementNames {
  private readonly seenOnce = new Set<string>();
  private readonly names = new Map<string, string>();
  private isStopped = false;

  constructor(private readonly limit = 400) {}

  /** The name to prepare the text with; undefined to run it unnamed. */
  nameOf(text: string): string | undefined {
    if (this.isStopped) return undefined;
    const known = this.names.get(text);
    if (known !== undefined) return known;
    if (this.names.size >= this.limit) return undefined;
    if (!this.seenOnce.delete(text)) {
      this.remember(text);
      return undefined;
    }
    const name = createHash('sha256').update(text).digest('base64url');
    this.names.set(text, name);
    return name;
  }

  /** Stops naming statements. False when already stopped. */
  stop(): boolean {
    if (this.isStopped) return false;
    return (this.isStopped = true);
  }

  private remember(text: string): void {
    if (this.seenOnce.size >= this.limit) this.seenOnce.clear();
    this.seenOnce.add(text);
  }
}
