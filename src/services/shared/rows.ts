import { DomainError } from '../../errors.js';
import { ROW_ERROR_CODES, type RowErrorCode } from '../../values/enums.js';

/** Why a row of many was refused. */
export interface RowRefusal {
  code: RowErrorCode;
  /** The row's name of the field; null for an error without a field. */
  field: string | null;
  cause: DomainError;
}

/** Codes of rows that differ from those of their errors. */
const CODES: Readonly<Record<string, RowErrorCode>> = {
  RATE_LIMITED: 'MAIL_LIMIT',
  PRECONDITION_FAILED: 'STALE_VERSION',
};

/**
 * The refusal of one row. Rethrows errors of the whole request and unexpected ones: earlier rows remain processed.
 * `field` is the name in rows for errors without a field.
 */
export function refusalOf(cause: unknown, field: string | null = null): RowRefusal {
  if (!(cause instanceof DomainError)) throw cause;
  const named = CODES[cause.code] ?? cause.reason ?? cause.code;
  const code = ROW_ERROR_CODES.find((each) => each === named);
  if (code === undefined) throw cause;
  const place = cause.fields?.[0]?.path.at(-1);
  return { code, field: typeof place === 'string' ? place : field, cause };
}
