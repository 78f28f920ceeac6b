import { isUtf8 } from 'node:buffer';
import { badUserInput } from '../errors.js';

/** Texts that JSON can hold and a database cannot: NUL characters and halves of surrogate pairs, as escapes. */
const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])/;

export const UNSTORABLE = 'Texts must not contain NUL characters or halves of surrogate pairs';

/** What a body says. Throws BAD_USER_INPUT: not JSON, not UTF-8, or with text that cannot be stored. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw badUserInput(['The body is empty']);
  if (!isUtf8(body) || body.includes(0)) throw badUserInput(['The body is not valid JSON']);
  const text = body.toString('utf8');
  const value = parsed(text);
  if (SUSPICIOUS.test(text) && !isStorable(value)) {
    throw badUserInput([UNSTORABLE]);
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput(['The body is not valid JSON']);
  }
}

/** Walks with a list instead of the stack: how deep a body may be is decided elsewhere, and must not crash this. */
export function isStorable(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return false;
    if (typeof value !== 'object' || value === null) continue;
    // One by one: a list may have more items than a call may have arguments.
    for (const item of Object.values(value)) open.push(item);
    if (!Array.isArray(value)) for (const key of Object.keys(value)) open.push(key);
  }
  return true;
}
